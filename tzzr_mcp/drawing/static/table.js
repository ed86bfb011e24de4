// A table to read, sort, filter, leaf through and take along. However many rows there are, one page of them is drawn.

import { button, copied, download, element, oncePerFrame } from "./dom.js";
import { csvFile, csvOf, fileName, jsonFile } from "./export.js";
import { countText, heading } from "./format.js";

const SIZES = [10, 25, 100];
const FEW = 8;
const LONG = 40;

/** The drawn table. `source` may be null; `save(name, text, type)` hands over a file, and is null where nobody can. */
export class TableView {
  #page = 0;
  #size = SIZES[0];
  #parts = {};

  constructor(rows, source, save = download) {
    this.rows = rows;
    this.source = source;
    this.save = save;
    this.node = this.#build();
    const draw = oncePerFrame(() => this.#draw());
    rows.addEventListener("change", draw);
    this.#draw();
  }

  #build() {
    const { table } = this.rows;
    const title = element("h4", {}, table.title);
    const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Tabla: ${table.title}` }, this.#grid());
    return element("div", { class: "table" }, element("div", { class: "bar" }, title, this.#tools()), scroll, this.#leaves());
  }

  #grid() {
    this.#parts.heads = this.rows.table.columns.map((column, place) => this.#head(column, place));
    this.#parts.body = element("tbody");
    const caption = element("caption", { class: "unseen" }, this.rows.table.title);
    return element("table", { "data-table": this.rows.table.id }, caption, element("thead", {}, element("tr", {}, ...this.#parts.heads)), this.#parts.body);
  }

  #head(column, place) {
    const sort = button(heading(column), () => { this.#page = 0; this.rows.sortBy(place); }, { title: "Ordenar por esta columna" });
    return element("th", { scope: "col", class: numeric(column) ? "number" : null }, sort);
  }

  #tools() {
    const name = `Filtrar la tabla ${this.rows.table.title}`, find = () => this.#find(filter.value);
    const filter = element("input", { type: "search", placeholder: "Filtrar", "aria-label": name, input: find });
    this.#parts.filter = filter;
    const copy = button("Copiar CSV", () => copied(copy, csvOf(this.rows.table.columns, this.rows.found)));
    const saver = (text, file, type) => button(text, () => this.#save(text.toLowerCase(), file, type), titled(`Descargar ${text}`));
    const csv = saver("CSV", csvFile, "text/csv;charset=utf-8"), json = saver("JSON", jsonFile, "application/json");
    return element("div", { class: "tools" }, filter, copy, this.save && [csv, json]);
  }

  #find(text) {
    clearTimeout(this.#parts.waiting);
    this.#parts.waiting = setTimeout(() => { this.#page = 0; this.rows.find(text); }, 120);
  }

  #save(ending, file, type) {
    const { table, found, filter } = this.rows;
    this.save(fileName(table.title, ending), file(table, this.source, found, filter), type);
  }

  #leaves() {
    const to = (text, name, page) => button(text, () => this.#turn(page()), titled(name));
    const p = this.#parts;
    p.count = element("span", { class: "count", role: "status" });
    p.first = to("«", "Primera página", () => 0);
    p.back = to("‹", "Página anterior", () => this.#page - 1);
    p.next = to("›", "Página siguiente", () => this.#page + 1);
    p.last = to("»", "Última página", () => Infinity);
    const sizes = SIZES.map((size) => element("option", { value: size }, `${size} filas`));
    p.size = element("select", { "aria-label": "Filas por página", change: () => this.#resize() }, ...sizes);
    p.leaves = element("span", { class: "leaves" }, p.first, p.back, p.next, p.last, p.size);
    return element("div", { class: "foot" }, p.count, p.leaves);
  }

  #turn(page) {
    this.#page = page;
    this.#draw();
  }

  #resize() {
    const first = this.#page * this.#size;
    this.#size = Number(this.#parts.size.value);
    this.#turn(Math.floor(first / this.#size));
  }

  #draw() {
    const { found, table } = this.rows;
    this.#page = Math.max(0, Math.min(this.#page, Math.ceil(found.length / this.#size) - 1));
    const first = this.#page * this.#size, shown = found.slice(first, first + this.#size);
    this.#parts.body.replaceChildren(...(shown.length ? shown.map((row) => this.#row(row)) : [this.#nothing()]));
    this.#drawOrder();
    this.#drawFoot(first, shown.length, found.length, table.rows.length);
  }

  #row(row) {
    return element("tr", {}, ...this.rows.table.columns.map((column, place) => this.#cell(column, row[place], this.rows.text(row, place))));
  }

  #cell(column, value, text) {
    return element("td", { class: cellClass(column, value), title: text.length > LONG ? text : null }, text);
  }

  #nothing() {
    const text = this.rows.filter ? `Ninguna fila contiene «${this.rows.filter}».` : "La tabla no tiene filas.";
    return element("tr", {}, element("td", { colspan: this.rows.table.columns.length, class: "empty" }, text));
  }

  #drawOrder() {
    this.#parts.heads.forEach((head, place) => {
      const order = this.rows.order?.column === place ? this.rows.order : null;
      if (order) head.setAttribute("aria-sort", order.downwards ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
  }

  #drawFoot(first, shown, found, all) {
    const p = this.#parts;
    const of = found === all ? countText(all, "fila", "filas") : `${countText(found, "fila", "filas")} de ${all.toLocaleString("es-ES")}`;
    p.count.textContent = shown < found ? `${(first + 1).toLocaleString("es-ES")}–${(first + shown).toLocaleString("es-ES")} de ${of}` : of;
    p.leaves.hidden = all <= SIZES[0];
    p.filter.hidden = all <= FEW;
    off(first === 0, p.first, p.back);
    off(first + shown >= found, p.next, p.last);
  }
}

const titled = (name) => ({ "aria-label": name, title: name });
const numeric = (column) => column.type === "number" || column.type === "integer";

function cellClass(column, value) {
  return [numeric(column) && "number", value === null && "none"].filter(Boolean).join(" ") || null;
}

/** Not `disabled`: the focus of whoever leafs with the keyboard would be lost at the last page. */
function off(state, ...buttons) {
  for (const one of buttons) one.setAttribute("aria-disabled", String(state));
}
