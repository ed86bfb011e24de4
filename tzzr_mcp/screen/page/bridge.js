
// The host, over JSON-RPC 2.0 messages to the parent window (MCP Apps, 2026-01-26).

const PROTOCOL = "2026-01-26";
const METHOD_NOT_FOUND = -32601;

class Host {
  #waiting = new Map();
  #last = 0;
  #capabilities = {};

  constructor(told, asked) {
    window.addEventListener("message", ({ source, data }) => {
      if (source === window.parent && data?.jsonrpc === "2.0") this.#received(data, told, asked);
    });
  }

  #received({ id, method, params = {}, result, error }, told, asked) {
    if (method === undefined) return this.#settled(id, result, error);
    if (id === undefined) return told[method]?.(params);
    if (asked[method]) return this.#send({ id, result: asked[method](params) });
    return this.#send({ id, error: { code: METHOD_NOT_FOUND, message: `Unknown method: ${String(method)}` } });
  }

  #settled(id, result, error) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
  }

  #send(message) {
    window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }

  request(method, params) {
    const id = ++this.#last;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  notify(method, params = {}) {
    this.#send({ method, params });
  }

  async greet() {
    const answer = await this.request("ui/initialize", {
      protocolVersion: PROTOCOL,
      appInfo: { name: "tzzr-resultado", title: "Resultado de TZZR", version: "@VERSION@" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    this.#capabilities = answer.hostCapabilities ?? {};
    dressed(answer.hostContext ?? {});
    this.notify("ui/notifications/initialized");
  }

  can(capability) {
    return this.#capabilities[capability] !== undefined;
  }

  open(url) {
    return this.request("ui/open-link", { url });
  }

  read(uri) {
    return this.request("resources/read", { uri });
  }

  save(name, mimeType, text) {
    const resource = { uri: `file:///${name}`, mimeType, text };
    return this.request("ui/download-file", { contents: [{ type: "resource", resource }] });
  }
}

// The host's theme and colours; what it does not give has a colour of ours.
function dressed({ theme, styles, containerDimensions: room }) {
  const root = document.documentElement;
  if (theme) root.dataset.theme = theme;
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (name.startsWith("--") && value) root.style.setProperty(name, value);
  }
  if (room?.height) root.classList.add("fills");
}

function begun() {
  const place = document.getElementById("result");
  const say = (text) => place.replaceChildren(element("p", { class: "quiet" }, text));
  const told = {
    "ui/notifications/tool-result": (result) => {
      place.replaceChildren(...drawnResult(result, host));
      document.getElementById("told").textContent = announced(result);
    },
    "ui/notifications/tool-cancelled": () => say("La llamada se canceló."),
    "ui/notifications/host-context-changed": dressed,
  };
  const asked = { "ui/resource-teardown": () => ({}), ping: () => ({}) };
  const host = new Host(told, asked);
  host.greet().then(() => sized(host, place), (error) => say(`El anfitrión no respondió: ${error.message}`));
}

// Tell the host how high the page is, whenever that changes. How wide it is, is the host's to say.
function sized(host, place) {
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(place.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    host.notify("ui/notifications/size-changed", { height });
  }).observe(place);
}

begun();
