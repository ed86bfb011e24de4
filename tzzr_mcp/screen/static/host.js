// The host, over JSON-RPC 2.0 messages to the parent window (MCP Apps, 2026-01-26).

const PROTOCOL = "2026-01-26";
const METHOD_NOT_FOUND = -32601;

/** `told` and `asked` say what is done about a notification and a request of each method. */
export class Host {
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

  /** Introduces the page; gives the host's context. */
  async greet() {
    const answer = await this.request("ui/initialize", {
      protocolVersion: PROTOCOL,
      appInfo: { name: "tzzr-resultado", title: "Resultado de TZZR", version: "@VERSION@" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
    });
    this.#capabilities = answer.hostCapabilities ?? {};
    this.notify("ui/notifications/initialized");
    return answer.hostContext ?? {};
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

  /** A sandboxed page may not download: the host does. */
  save(name, text, mimeType) {
    const resource = { uri: `file:///${encodeURIComponent(name)}`, mimeType, text };
    return this.request("ui/download-file", { contents: [{ type: "resource", resource }] });
  }
}
