// The tables in a document: lists of objects in JSON, lines of CSV.

const CSV = "text/csv";
const NUMBERS = { ",": /^-?(0|[1-9]\d{0,14})(\.\d+)?$/, ";": /^-?(0|[1-9]\d{0,14})([.,]\d+)?$/ };

/** A document's tables, and its value where it is JSON. */
export function documentOf(text, type) {
  if (type === CSV) return { parsed: undefined, tables: csvTables(text) };
  const parsed = json(text);
  return { parsed, tables: jsonTables(parsed) };
}

function json(text) {
  try { return JSON.parse(text); } catch { return undefined; }
}

function jsonTables(value) {
  const named = Array.isArray(value) ? [["Filas", value]] : isRecord(value) ? Object.entries(value) : [];
  const lists = named.filter(([, list]) => Array.isArray(list) && list.length > 0 && list.every(isRecord));
  return lists.map(([title, list]) => recordTable(title, list));
}

const isRecord = (one) => one !== null && typeof one === "object" && !Array.isArray(one);

function recordTable(title, list) {
  const keys = [...new Set(list.flatMap(Object.keys))];
  return tableOf(title, keys, list.map((one) => keys.map((key) => cell(one[key]))));
}

function cell(value) {
  if (value === undefined) return null;
  return value !== null && typeof value === "object" ? JSON.stringify(value) : value;
}

/** Semicolons part the cells where the first line has more of them than commas, as many Spanish files do. */
function csvTables(text) {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/), first = lines.findIndex((line) => line && !line.startsWith("#"));
  if (first < 0) return [];
  const mark = lines[first].split(";").length > lines[first].split(",").length ? ";" : ",";
  const [heads, ...rows] = records(lines.slice(first).join("\n"), mark);
  const even = rows.filter((row) => row.length === heads.length);
  return even.length ? [tableOf("Filas", heads, typed(even, NUMBERS[mark]))] : [];
}

/** RFC 4180: a cell in quotes may hold the mark, line breaks, and quotes written twice. */
function records(text, mark) {
  if (!text.endsWith("\n")) return records(`${text}\n`, mark);
  const rows = [[]];
  const cells = new RegExp(`("(?:[^"]|"")*"|[^${mark}\n]*)(${mark}|\n|$)`, "y");
  while (cells.lastIndex < text.length) {
    const [, written, end] = cells.exec(text);
    rows.at(-1).push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end === "\n") rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0]);
}

/** A column is one of numbers if every cell that is not empty is one; between semicolons the comma may mark decimals. */
function typed(rows, number) {
  const numbers = rows[0].map((_, place) => rows.every((row) => row[place] === "" || number.test(row[place])));
  return rows.map((row) => row.map((text, place) => (text === "" ? null : numbers[place] ? Number(text.replace(",", ".")) : text)));
}

function tableOf(title, keys, rows) {
  const values = (place) => rows.map((row) => row[place]).filter((value) => value !== null);
  const columns = keys.map((key, place) => ({ key, title: key, type: typeOf(values(place)) }));
  return { id: title, title, columns, rows };
}

function typeOf(values) {
  if (!values.length || values.some((value) => typeof value !== "number")) return "text";
  return values.every(Number.isInteger) ? "integer" : "number";
}
