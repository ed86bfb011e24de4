// One question and what comes of it: notices above, then the steps, the words, and the data with its source.

import { announce, Speech } from "./announce.js";
import { button, copied, element, oncePerFrame } from "./dom.js";
import { Evidence } from "./evidence.js";
import { countText } from "./format.js";
import { prose } from "./prose.js";
import { Step } from "./step.js";

const LEVELS = { info: "Aviso", warning: "Atención", error: "Error" };
const STOPPED = { limit: "La respuesta se detuvo al llegar a un límite de uso.", cancelled: "Respuesta detenida." };

/** A turn of the conversation. `open` shows a resource; `again` asks the same question once more. */
export class Answer {
  #speech = new Speech();
  #steps = new Map();
  #evidence = new Map();
  #apart = false;
  text = "";
  messages = null;

  constructor(question, { open, again }) {
    Object.assign(this, { question, open, again });
    this.#build();
    this.#write = oncePerFrame(() => this.words.replaceChildren(...prose(this.text)));
  }

  #write;

  #build() {
    this.notices = element("div", { class: "notices" });
    this.steps = element("ul", { class: "steps", "aria-label": "Herramientas consultadas" });
    this.words = element("div", { class: "prose" });
    this.waiting = element("p", { class: "waiting" }, "Pensando…");
    this.data = element("div", { class: "data" });
    this.trouble = element("div");
    this.foot = element("footer");
    const heading = element("h3", { class: "unseen" }, "Respuesta");
    const parts = [heading, this.steps, this.words, this.waiting, this.trouble, this.data, this.foot];
    this.body = element("article", { class: "answer", "aria-busy": "true" }, ...parts);
    const title = element("h2", { class: "unseen" }, "Su pregunta");
    const asked = element("div", { class: "question" }, title, element("p", {}, this.question));
    this.node = element("section", { class: "turn" }, asked, this.notices, this.body);
  }

  /** One event of the stream. What a newer gateway may send besides is passed over. */
  take(event) {
    const known = {
      text: this.#text, tool: this.#tool, table: this.#table, rows: this.#rows, chart: this.#chart, links: this.#links,
      notice: this.#notice, error: this.#error, done: this.#done,
    };
    if (Object.hasOwn(known, event.type)) known[event.type].call(this, event);
  }

  #text({ delta }) {
    if (this.#apart && this.text) this.text += "\n\n";
    this.#apart = false;
    this.text += delta;
    this.waiting.hidden = true;
    this.#speech.add(delta);
    this.#write();
  }

  #tool(event) {
    const step = this.#steps.get(event.call) ?? this.#begun(event);
    step.take(event);
    this.#apart = true;
    if (event.phase === "finished") {
      this.waiting.hidden = false;
      if (event.source) this.#of(event.call).cite(event.source);
    }
  }

  #begun(event) {
    const step = new Step(event);
    this.#steps.set(event.call, step);
    this.steps.append(step.node);
    announce(`Consultando: ${step.title}`);
    return step;
  }

  /** The data of one call. */
  #of(call) {
    if (!this.#evidence.has(call)) {
      const evidence = new Evidence(this.#steps.get(call)?.title ?? "Datos", this.open);
      this.#evidence.set(call, evidence);
      this.data.append(evidence.node);
    }
    return this.#evidence.get(call);
  }

  #table({ call, table }) { this.#of(call).table(table); }
  #rows({ call, table_id: id, rows }) { this.#of(call).rows(id, rows); }
  #chart({ call, chart }) { this.#of(call).chart(chart); }
  #links({ call, links }) { this.#of(call).links(links); }

  #notice({ notice }) {
    const level = Object.hasOwn(LEVELS, notice.level) ? notice.level : "info";
    announce(`${LEVELS[level]}: ${notice.text}`);
    this.notices.append(element("p", { class: `notice ${level}` }, element("strong", {}, LEVELS[level]), " ", notice.text));
  }

  #error({ message, retryable }) {
    this.fail(message, retryable);
  }

  #done({ usage, tool_calls: calls, stopped, messages }) {
    this.messages = messages;
    if (STOPPED[stopped] && !this.trouble.childElementCount) this.#stopped(STOPPED[stopped]);
    const read = countText(usage.input_tokens, "token leído", "tokens leídos");
    const used = `${read} y ${usage.output_tokens.toLocaleString("es-ES")} escritos`;
    const told = calls ? `${countText(calls, "consulta", "consultas")} · ${used}` : used;
    const copy = button("Copiar la respuesta", () => copied(copy, this.text));
    this.foot.append(element("p", { class: "used" }, told, this.text ? copy : null));
  }

  /** The turn failed: a sentence, and a way to try again where it makes sense. */
  fail(message, retryable) {
    const retry = retryable ? button("Reintentar", this.again) : null;
    const parts = [element("strong", {}, "Error"), " ", message, " ", retry];
    this.trouble.append(element("p", { class: "notice error", role: "alert" }, ...parts));
  }

  /** The person stopped it. */
  stop() {
    this.#stopped(STOPPED.cancelled);
  }

  #stopped(text) {
    this.trouble.append(element("p", { class: "stopped", role: "status" }, text));
  }

  /** Nothing more will come. */
  end() {
    this.#speech.end();
    this.waiting.remove();
    this.body.setAttribute("aria-busy", "false");
    for (const step of this.#steps.values()) step.end();
  }
}
