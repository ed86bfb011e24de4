// One tool call: a line while it runs, and behind a fold what was asked, what the model read of it, and its trace.

import { button, copied, element } from "./dom.js";
import { durationText } from "./format.js";

/** The line of one call. */
export class Step {
  constructor({ title, name, arguments: given }) {
    this.title = title || name;
    this.mark = element("span", { class: "mark", "aria-hidden": "true" }, "…");
    this.told = element("span", { class: "told" }, "consultando");
    this.folded = element("div", { class: "folded" }, ...part("Herramienta", element("code", {}, name)));
    if (given) this.folded.append(...part("Argumentos", element("pre", { tabindex: "0" }, JSON.stringify(given, null, 2))));
    const line = element("summary", {}, this.mark, element("span", {}, this.title), this.told);
    this.node = element("li", {}, element("details", {}, line, this.folded));
  }

  take({ phase, outcome, text, trace_id: trace, duration_ms: duration }) {
    if (phase !== "finished") return;
    const failed = outcome === "error";
    this.#tell(failed ? "✗" : "✓", failed ? "no se pudo" : duration === undefined || duration === null ? "hecho" : durationText(duration));
    this.node.classList.toggle("failed", failed);
    if (text) this.folded.append(...part("Lo que leyó el modelo", element("pre", { tabindex: "0" }, text)));
    if (trace) this.folded.append(...part("Traza", element("code", {}, trace), " ", copyButton(trace)));
  }

  /** The turn is over; a call without an end was broken off. */
  end() {
    if (this.mark.textContent === "…") this.#tell("–", "interrumpida");
  }

  #tell(mark, told) {
    this.mark.textContent = mark;
    this.told.textContent = told;
  }
}

function copyButton(trace) {
  const copy = button("Copiar", () => copied(copy, trace), { "aria-label": "Copiar la traza" });
  return copy;
}

const part = (name, ...content) => [element("p", { class: "name" }, name), element("div", {}, ...content)];
