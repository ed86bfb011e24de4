
// A chart as inline SVG, with a key; the table that it draws is its text for who cannot see it.

const KINDS = { line: "líneas", area: "áreas", bar: "barras", pie: "círculo" };

function drawnChart(chart, tables) {
  const table = tables.find(({ id }) => id === chart.table);
  const model = table && table.rows.length ? modelOf(chart, table) : null;
  if (model === null) return element("p", { class: "quiet" }, `No hay datos para dibujar «${chart.title}».`);
  const place = element("div", { class: "picture" });
  const draw = { line: lines, area: lines, bar: bars, pie: pies }[model.kind];
  drawnToWidth(place, (wide) => draw(model, wide));
  return element("figure", { "data-chart": chart.id, "data-of": chart.table }, element("figcaption", {}, chart.title), place, key(model));
}

// Drawn anew when its place is wider or narrower: letters stay as large as the page's.
function drawnToWidth(place, draw) {
  let drawn = 0;
  new ResizeObserver(() => {
    const wide = Math.round(Math.min(Math.max(place.clientWidth, 240), 860));
    if (wide === drawn) return;
    drawn = wide;
    place.replaceChildren(draw(wide));
  }).observe(place);
}

function picture(model, frame, drawn) {
  return framed(model, frame, [axes(frame), ...drawn]);
}

function framed(model, { wide, high }, drawn) {
  const name = newId();
  const columns = model.series.map(({ column }) => headed(column)).join(", ");
  const title = `${model.chart.title}: gráfico de ${KINDS[model.kind]} de ${columns} por ${headed(model.x)}. Los datos están en la tabla «${model.table.title}».`;
  return svg("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, role: "img", "aria-labelledby": name }, svg("title", { id: name }, title), drawn);
}

function key(model) {
  const named = model.kind === "pie" ? model.labels : model.series.map(({ column }) => headed(column));
  const entry = (name, order) => element("li", {}, element("span", { class: `swatch ${colour(order)}` }), name);
  return element("ul", { class: "key" }, named.map(entry));
}
