// The page: waits for a result of the host, draws it, and tells the host how high it is.

import { byId, element } from "./dom.js";
import { Host } from "./host.js";
import { announced, drawnResult } from "./result.js";

const place = byId("result");
const say = (text) => place.replaceChildren(element("p", { class: "quiet" }, text));

const told = {
  "ui/notifications/tool-result": (result) => {
    place.replaceChildren(...drawnResult(result, host));
    byId("told").textContent = announced(result);
  },
  "ui/notifications/tool-cancelled": () => say("La llamada se canceló."),
  "ui/notifications/host-context-changed": dressed,
};
const asked = { "ui/resource-teardown": () => ({}), ping: () => ({}) };
const host = new Host(told, asked);

host.greet().then((context) => {
  dressed(context);
  sized();
}, (error) => say(`El anfitrión no respondió: ${error.message}`));

/** The host's theme and colours; what it does not give has a colour of ours. */
function dressed({ theme, styles, containerDimensions: room }) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && value) root.style.setProperty(name, value);
  }
  if (room?.height) root.classList.add("fills");
}

/** Tells the host how high the page is, whenever that changes. How wide it is, is the host's to say. */
function sized() {
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(place.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    host.notify("ui/notifications/size-changed", { height });
  }).observe(place);
}
