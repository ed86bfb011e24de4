
// A table: sorted by its heads, filtered by words, shown some rows at a time, copied or downloaded as CSV.

const ROWS_AT_ONCE = 200;
const ROWS_WORTH_FILTERING = 10;

function drawnTable(table, host) {
  const state = { table, sort: null, descending: false, words: "", shown: ROWS_AT_ONCE };
  const places = table.columns.map((column, index) => placesIn(column, table.rows, index));
  const body = element("tbody");
  const counted = element("span", { class: "quiet", role: "status" });
  const more = element("button", { type: "button", click: () => redraw({ shown: state.shown + ROWS_AT_ONCE }) }, "Mostrar más");
  const heads = table.columns.map((column, index) => head(column, () => redraw(sortedBy(state, index))));
  function redraw(change) {
    Object.assign(state, change);
    const rows = chosen(state);
    body.replaceChildren(...rows.slice(0, state.shown).map((row) => drawnRow(table.columns, row, places)));
    heads.forEach((cell, index) => cell.setAttribute("aria-sort", sortOf(state, index)));
    counted.textContent = rowsTold(rows.length, table.rows.length, state.shown);
    more.hidden = rows.length <= state.shown;
  }
  redraw({});
  const name = newId();
  return element("section", { class: "table" },
    element("h2", { id: name }, table.title),
    element("div", { class: "tools" },
      filterField(table, (words) => redraw({ words, shown: ROWS_AT_ONCE })),
      copyButton("Copiar CSV", () => csvOf(table.columns, chosen(state))),
      downloadButton(table, host, () => csvOf(table.columns, chosen(state)))),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-labelledby": name },
      element("table", { "aria-labelledby": name, "data-table": table.id }, element("thead", {}, element("tr", {}, heads)), body)),
    element("div", { class: "tools" }, counted, more));
}

function head(column, sort) {
  return element("th", { scope: "col", class: isNumeric(column) ? "number" : null }, element("button", { type: "button", click: sort, title: "Ordenar" }, headed(column)));
}

function drawnRow(columns, row, places) {
  return element("tr", {}, columns.map((column, index) => drawnCell(column, row[index], places[index])));
}

function drawnCell(column, value, places) {
  const exact = value === null || value === undefined ? "null" : JSON.stringify(value);
  return element("td", { class: isNumeric(column) ? "number" : null, "data-value": exact }, shown(value, column.type, places));
}

function sortedBy(state, index) {
  if (state.sort !== index) return { sort: index, descending: false };
  return state.descending ? { sort: null, descending: false } : { descending: true };
}

function sortOf(state, index) {
  if (state.sort !== index) return "none";
  return state.descending ? "descending" : "ascending";
}

function chosen({ table, sort, descending, words }) {
  const rows = words ? table.rows.filter((row) => says(table.columns, row, words)) : [...table.rows];
  if (sort === null) return rows;
  const way = descending ? -1 : 1;
  return rows.sort((one, other) => compared(one[sort], other[sort], way));
}

// What is not there comes last, whichever way.
function compared(one, other, way) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (typeof one === "number" && typeof other === "number") return way * (one - other);
  return way * String(one).localeCompare(String(other), "es", { numeric: true });
}

function says(columns, row, words) {
  const text = plain(columns.map((column, index) => shown(row[index], column.type)).join(" "));
  return plain(words).split(/\s+/).every((word) => text.includes(word));
}

function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}

function rowsTold(found, all, shownRows) {
  const of = found === all ? "" : ` (de ${spanish(all)})`;
  const rows = `${spanish(found)} ${found === 1 ? "fila" : "filas"}${of}`;
  return found > shownRows ? `Se muestran ${spanish(shownRows)} de ${rows}` : rows;
}

function filterField(table, filter) {
  if (table.rows.length <= ROWS_WORTH_FILTERING) return null;
  return element("input", { type: "search", placeholder: "Filtrar…", "aria-label": `Filtrar ${table.title}`, input: (event) => filter(event.target.value) });
}

function copyButton(label, text) {
  const button = element("button", { type: "button" }, label);
  button.addEventListener("click", async () => {
    const whole = text();
    if (await copied(whole)) button.textContent = "Copiado";
    else button.closest("section").append(element("textarea", { class: "copy", readonly: true, "aria-label": "Selecciónelo y cópielo" }, whole));
    setTimeout(() => { button.textContent = label; }, 2000);
  });
  return button;
}

// A sandboxed page may not download: the host does, where it can. The mark at the start tells spreadsheets that it is UTF-8.
function downloadButton(table, host, text) {
  if (!host.can("downloadFile")) return null;
  const save = () => host.save(`${encodeURIComponent(table.id)}.csv`, "text/csv", `\ufeff${text()}`);
  return element("button", { type: "button", click: save }, "Descargar CSV");
}
