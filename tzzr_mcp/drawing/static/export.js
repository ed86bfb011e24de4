// A table as a file that a spreadsheet or a notebook opens, with where it comes from and when on top.

import { heading } from "./format.js";

const FORMULA = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180): comma, point, CRLF. */
export function csvOf(columns, rows) {
  const lines = [columns.map(heading), ...rows].map((cells) => cells.map(csvCell).join(","));
  return `${lines.join("\r\n")}\r\n`;
}

function csvCell(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? harmless(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that a spreadsheet would run as a formula gets an apostrophe; a document may hold anything. */
function harmless(text) {
  return FORMULA.test(text) && !/^[+-]?[\d.,\s]+$/.test(text) ? `'${text}` : text;
}

/** The CSV file: what it is, source and date as comment lines, then the rows. The mark first tells Excel it is UTF-8. */
export function csvFile(table, source, rows, filter) {
  const told = provenance(source, filter, rows.length, table.rows.length);
  const lines = [["Tabla", table.title], ...told].map(([name, value]) => `# ${name}: ${oneLine(value)}`);
  return `\uFEFF${lines.join("\r\n")}\r\n${csvOf(table.columns, rows)}`;
}

function provenance(source, filter, shown, all) {
  const known = [];
  if (source) {
    known.push(["Fuente", source.name + (source.simulated ? " (datos simulados)" : "")], ["Consultado", source.retrieved_at]);
    if (source.url) known.push(["Dirección", source.url]);
    if (source.license) known.push(["Licencia", source.license]);
  }
  if (filter) known.push(["Filtro", `«${filter}», ${shown} de ${all} filas`]);
  return known;
}

const oneLine = (text) => String(text).replace(/\s+/g, " ");

/** The JSON file: the table as the tool gave it, its source, and the filter if there is one. */
export function jsonFile(table, source, rows, filter) {
  const part = filter ? { filter: { text: filter, rows: rows.length, of: table.rows.length } } : {};
  return `${JSON.stringify({ source, ...part, table: { ...table, rows } }, null, 1)}\n`;
}

/** A file name out of a title. */
export function fileName(title, ending) {
  const plain = title.normalize("NFD").replace(/\p{Mn}/gu, "").replace(/[^A-Za-z0-9]+/g, " ").trim().replaceAll(" ", "-").toLowerCase();
  return `${plain.slice(0, 60) || "tabla"}.${ending}`;
}
