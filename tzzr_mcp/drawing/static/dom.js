// Building the page: elements and text, never markup. The Content-Security-Policy forbids everything else.

/** An element. Attributes that are functions listen to the event of that name; null, undefined and false are left out. */
export function element(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function shape(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnished(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

/** A button that does something. */
export function button(text, act, attributes = {}) {
  return element("button", { type: "button", click: act, ...attributes }, text);
}

/** The element of the document with this id. */
export const byId = (id) => document.getElementById(id);

/** Runs `work` once before the next paint, however often it is asked for. */
export function oncePerFrame(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; work(); });
  };
}

/** Puts text on the clipboard and tells so on the button for a moment. */
export async function copied(from, text) {
  const label = from.textContent;
  from.textContent = await onClipboard(text) ? "Copiado" : "El navegador no deja copiar";
  setTimeout(() => { from.textContent = label; }, 1600);
}

/** In a frame that is granted no clipboard the older command may still copy. */
async function onClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

function copiedBySelection(text) {
  const focused = document.activeElement, area = element("textarea", { class: "unseen", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return done;
}

/** Gives the person a file. */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
