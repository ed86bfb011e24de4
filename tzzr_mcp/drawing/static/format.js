// Values as a person in Spain reads them. No number is rounded: what is drawn is what the tool said.

const LOCALE = "es-ES";
const formats = new Map();
const collator = new Intl.Collator(LOCALE, { numeric: true, sensitivity: "base" });

/** How many decimals a number has when it is written out; a number with an exponent has none of its own. */
export function decimalsOf(value) {
  const written = String(value), point = written.indexOf(".");
  return point < 0 || written.includes("e") ? 0 : written.length - point - 1;
}

/** A number with a comma, and dots between thousands; `decimals` pads, so that a column stands in line. */
export function numberText(value, decimals = decimalsOf(value), grouping = "always") {
  const written = String(value);
  if (written.includes("e")) return written.replace(".", ",");
  return format(Math.max(decimals, decimalsOf(value)), grouping).format(written);
}

function format(decimals, useGrouping) {
  const key = `${decimals} ${useGrouping}`;
  if (!formats.has(key)) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    formats.set(key, new Intl.NumberFormat(LOCALE, { ...digits, useGrouping }));
  }
  return formats.get(key);
}

/** A cell as text. `decimals` are those of its column. Integers of four digits (years) have no dot. */
export function cellText(value, column, decimals) {
  if (value === null || value === undefined) return "—";
  if (typeof value === "boolean") return value ? "sí" : "no";
  if (typeof value === "number") return numberText(value, decimals, column.type === "integer" ? "min2" : "always");
  return column.type === "date" ? dateText(value) : String(value);
}

/** A calendar date in Spanish order; whatever is none stays as it is. */
export function dateText(value) {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  return parts ? `${parts[3]}/${parts[2]}/${parts[1]}` : String(value);
}

/** An instant, in the reader's time zone. */
export function instantText(value) {
  const instant = new Date(value);
  if (Number.isNaN(instant.getTime())) return String(value);
  return instant.toLocaleString(LOCALE, { dateStyle: "medium", timeStyle: "short" });
}

/** Milliseconds as a person says them. */
export function durationText(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toLocaleString(LOCALE, { maximumFractionDigits: 1 })} s`;
}

/** One or many, with the number. */
export function countText(count, one, many) {
  return `${count.toLocaleString(LOCALE)} ${count === 1 ? one : many}`;
}

/** A column's heading with its unit. */
export function heading(column) {
  return column.unit ? `${column.title} (${column.unit})` : column.title;
}

/** Which of two cells comes first; empty ones come last whichever way the column is sorted. */
export function compare(left, right, downwards) {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const order = typeof left === "string" || typeof right === "string"
    ? collator.compare(String(left), String(right)) : Number(left) - Number(right);
  return downwards ? -order : order;
}

/** Text for searching: small letters without accents. */
export function plain(text) {
  return text.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");
}

/** A word of a search, with a number as the rows spell it: "1.250,50" becomes "1250,5". */
export function sought(word) {
  if (!/^-?\d{1,3}(\.\d{3})+(,\d+)?$|^-?\d+,\d+$/.test(word)) return plain(word);
  return word.replaceAll(".", "").replace(/(,\d*?)0+$/, "$1").replace(/,$/, "");
}
