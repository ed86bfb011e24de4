// The rows of one table: as the tool gave them, filtered and sorted for the eye. Tables and charts draw the same object.

import { cellText, compare, decimalsOf, plain, sought } from "./format.js";

/** A table of `structuredContent`; rows may go on coming. Fires `change`. */
export class Rows extends EventTarget {
  #found = null;
  #texts = [];
  #decimals;
  filter = "";
  order = null;

  constructor(table) {
    super();
    this.table = { ...table, rows: [] };
    this.#decimals = table.columns.map(() => 0);
    this.add(table.rows);
  }

  /** More rows, in the order of the tool. */
  add(rows) {
    for (const row of rows) {
      this.table.rows.push(row);
      row.forEach((cell, place) => {
        if (typeof cell === "number") this.#decimals[place] = Math.max(this.#decimals[place], decimalsOf(cell));
      });
    }
    this.#changed();
  }

  /** Keeps the rows in which every word is found. */
  find(text) {
    this.filter = text.trim();
    this.#changed();
  }

  /** Sorts by a column: upwards, downwards, and the third time as the tool gave it. */
  sortBy(column) {
    const next = this.order?.column !== column ? { column, downwards: false }
      : this.order.downwards ? null : { column, downwards: true };
    this.order = next;
    this.#changed();
  }

  /** The rows that are shown, in order. */
  get found() {
    this.#found ??= this.#sorted(this.#filtered());
    return this.#found;
  }

  /** The values of one column, in the order of the tool. */
  values(key) {
    const place = this.place(key);
    return this.table.rows.map((row) => row[place]);
  }

  place(key) {
    return this.table.columns.findIndex((column) => column.key === key);
  }

  column(key) {
    return this.table.columns[this.place(key)];
  }

  /** A cell as it is drawn. */
  text(row, place) {
    return cellText(row[place], this.table.columns[place], this.#decimals[place]);
  }

  /** A value of a column as it is drawn. */
  valueText(key, value) {
    return cellText(value, this.column(key), this.#decimals[this.place(key)]);
  }

  #filtered() {
    const words = this.filter.split(/\s+/).filter(Boolean).map(sought);
    const rows = this.table.rows;
    return words.length ? rows.filter((_, number) => words.every((word) => this.#search(number).includes(word))) : [...rows];
  }

  #search(number) {
    this.#texts[number] ??= plain(this.table.rows[number].map(spelled).join("\n"));
    return this.#texts[number];
  }

  #sorted(rows) {
    if (!this.order) return rows;
    const { column, downwards } = this.order;
    return rows.sort((one, other) => compare(one[column] ?? null, other[column] ?? null, downwards));
  }

  #changed() {
    this.#found = null;
    this.dispatchEvent(new Event("change"));
  }
}

function spelled(cell) {
  if (typeof cell === "boolean") return cell ? "sí" : "no";
  if (typeof cell === "string") return /^\d{4}-\d{2}-\d{2}$/.test(cell) ? `${cell} ${cellText(cell, { type: "date" })}` : cell;
  return cell === null || cell === undefined ? "" : String(cell).replace(".", ",");
}
