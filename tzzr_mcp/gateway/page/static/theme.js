// Light or dark: as the system has it, unless the person says otherwise.

import { byId } from "./dom.js";

const KEY = "tzzr-theme";

/** Makes the switch work, from what was chosen last time. */
export function followTheme() {
  const choice = byId("theme");
  choice.value = kept() ?? "";
  choice.addEventListener("change", () => { apply(choice.value); keep(choice.value); });
  apply(choice.value);
}

function apply(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
}

function kept() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}

function keep(theme) {
  try { localStorage.setItem(KEY, theme); } catch { /* a browser that keeps nothing still has a theme */ }
}
