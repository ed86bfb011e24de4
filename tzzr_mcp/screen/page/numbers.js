
// Numbers as Spanish writes them, without loss: every digit that JSON carried.

function spanish(value, together = 4, places = 0) {
  const [, sign, whole, decimals, rest] = /^(-?)(\d+)(?:\.(\d+))?(.*)$/.exec(String(value)) ?? [];
  if (whole === undefined || rest) return String(value).replace("-", "−").replace(".", ",");
  return `${sign ? "−" : ""}${whole.length < together ? whole : grouped(whole)}${decimals || places ? `,${(decimals ?? "").padEnd(places, "0")}` : ""}`;
}

function grouped(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, ".");
}

function shown(value, type, places = 0) {
  if (value === null || value === undefined) return "—";
  if (typeof value === "boolean") return value ? "sí" : "no";
  if (typeof value !== "number" || type === "text") return String(value);
  return spanish(value, type === "integer" ? 5 : 4, places); // 2026 may be a year
}

// Amounts of money line up: a column whose numbers have two decimals at most shows as many in each.
function placesIn(column, rows, index) {
  if (column.type !== "number") return 0;
  const most = rows.reduce((sofar, row) => Math.max(sofar, (String(row[index]).split(".")[1] ?? "").length), 0);
  return most <= 2 ? most : 0;
}

function headed(column) {
  return column.unit ? `${column.title} (${column.unit})` : column.title;
}

function isNumeric(column) {
  return column.type === "number" || column.type === "integer";
}
