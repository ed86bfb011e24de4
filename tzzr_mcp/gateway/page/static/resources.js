// The panel of open data: what the server publishes, to browse, open, filter as a table, and take along.

import { read, resources } from "./api.js";
import { announce } from "./announce.js";
import { documentOf } from "./document.js";
import { button, byId, download, element } from "./dom.js";
import { fileName } from "./export.js";
import { citation } from "./evidence.js";
import { Rows } from "./rows.js";
import { TableView } from "./table.js";

const SHOWN = 100_000;
const ENDINGS = { "application/json": "json", "text/csv": "csv", "text/markdown": "md", "text/html": "html" };

/** The panel at the side. */
export class Panel {
  #from = null;

  constructor() {
    this.node = byId("resources");
    this.toggle = byId("resources-toggle");
    this.list = byId("resources-list");
    this.shown = byId("resource");
    this.toggle.addEventListener("click", () => (this.node.hidden ? this.show() : this.hide()));
    byId("resources-close").addEventListener("click", () => this.hide());
    this.node.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      event.preventDefault();
      this.hide();
    });
  }

  /** Opens the panel and reads the list once. */
  async show() {
    this.#from = document.activeElement;
    this.#visible(true);
    byId("resources-title").focus();
    if (this.list.childElementCount === 0) await this.#attempt(this.list, async () => this.#listed(await resources()));
  }

  hide() {
    this.#visible(false);
    (this.#from?.isConnected ? this.#from : this.toggle).focus();
  }

  #visible(visible) {
    this.node.hidden = !visible;
    this.toggle.setAttribute("aria-expanded", String(visible));
    document.body.classList.toggle("beside", visible);
  }

  #listed(all) {
    this.list.replaceChildren(...all.map((one) => this.#item(one)));
    if (!all.length) this.list.append(element("li", {}, "El servidor no publica recursos."));
  }

  #item(one) {
    const name = element("strong", {}, one.title || one.name), uri = element("code", {}, one.uri);
    return element("li", {}, name, element("p", {}, one.description), uri, one.uri.includes("{") ? this.#form(one) : this.#acts(one.uri));
  }

  #acts(uri) {
    const open = button("Abrir", () => this.open(uri), { "aria-label": `Abrir ${uri}` });
    return element("div", { class: "acts" }, open, this.#saver(uri));
  }

  #saver(uri) {
    return button("Descargar", () => this.save(uri), { "aria-label": `Descargar ${uri}` });
  }

  /** A template asks for what stands between its braces. */
  #form(one) {
    const names = [...one.uri.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
    const field = (name) => element("input", { type: "text", required: true, placeholder: name, "aria-label": name, autocomplete: "off" });
    const fields = names.map(field), value = (place) => encodeURIComponent(fields[place].value.trim());
    const filled = () => names.reduce((uri, name, place) => uri.replace(`{${name}}`, value(place)), one.uri);
    const submit = (event) => { event.preventDefault(); this.open(filled()); };
    return element("form", { class: "acts", submit }, ...fields, element("button", { "aria-label": `Abrir ${one.title}` }, "Abrir"));
  }

  /** Shows one resource: its rows as a table where it has rows, and its text. */
  async open(uri) {
    if (this.node.hidden) await this.show();
    await this.#attempt(this.shown, async () => {
      const { text, type } = await read(uri);
      this.shown.replaceChildren(this.#way(), ...this.#content(uri, text, type));
      this.list.hidden = true;
    });
    this.shown.focus();
    announce(`Recurso ${uri} abierto`);
  }

  #way() {
    return button("‹ Todos los recursos", () => this.#back());
  }

  #back() {
    this.shown.replaceChildren();
    this.list.hidden = false;
    byId("resources-title").focus();
  }

  async save(uri) {
    await this.#attempt(this.shown, async () => {
      const { text, type } = await read(uri);
      download(fileName(uri, ENDINGS[type] ?? "txt"), text, "application/octet-stream");
    });
  }

  /** The server's documents say themselves, in `simulado`, whether a fake wrote them. */
  #content(uri, text, type) {
    const { parsed, tables } = documentOf(text, type), now = new Date().toISOString();
    const source = { name: uri, kind: "dataset", retrieved_at: now, simulated: parsed?.simulado === true };
    const views = tables.map((table) => new TableView(new Rows(table), source).node);
    const whole = parsed === undefined ? text : JSON.stringify(parsed, null, 2);
    const cut = whole.length > SHOWN ? element("p", {}, "Aquí se ve solo el principio; descárguelo para verlo entero.") : null;
    const raw = element("details", { open: !views.length }, element("summary", {}, `Contenido (${type})`), element("pre", { tabindex: "0" }, whole.slice(0, SHOWN)), cut);
    const told = element("p", { class: "source" }, ...citation(source));
    return [element("h3", {}, uri), element("div", { class: "acts" }, this.#saver(uri)), ...views, raw, told].filter(Boolean);
  }

  async #attempt(place, work) {
    place.setAttribute("aria-busy", "true");
    try {
      await work();
    } catch (error) {
      place.replaceChildren(element(place === this.list ? "li" : "p", { class: "notice error", role: "alert" }, error.message));
    } finally {
      place.removeAttribute("aria-busy");
    }
  }
}
