
// The frame of a chart: round numbers across the values, the rows' own labels along them.

const LETTER = 6.6;

// `across` is true where the values run from left to right.
function frameOf(model, wide, across) {
  const ticks = ticksOf(domainOf(model));
  const ends = [ticks[0], ticks[ticks.length - 1]];
  const tickWidth = widest(ticks.map((tick) => spanish(tick)));
  const most = Math.min(28, Math.floor(wide / 3 / LETTER));
  const labels = model.labels.map((label) => cut(label, most));
  const left = across ? widest(labels) : tickWidth;
  const high = across ? 36 + model.labels.length * bandOf(model) : 300;
  const area = { left, right: wide - Math.max(14, across ? tickWidth / 2 : 14), top: 10, bottom: high - 26 };
  const value = across ? linear(ends, [area.left, area.right]) : linear(ends, [area.bottom, area.top]);
  const places = placesOf(model, across ? [area.top, area.bottom] : [area.left + 4, area.right - 4]);
  return { wide, high, area, ticks, value, places, across, labels };
}

function bandOf(model) {
  return model.chart.stacked ? 26 : 12 + 14 * model.series.length;
}

function widest(labels) {
  return 14 + LETTER * labels.reduce((most, label) => Math.max(most, label.length), 1);
}

function cut(label, most = 28) {
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}

function axes(frame) {
  return svg("g", { class: "axes" }, roomy(frame).map((tick) => gridLine(frame, tick)), labelled(frame));
}

// Every other number where all of them would touch.
function roomy({ ticks, across, area }) {
  const needed = across ? ticks.length * widest(ticks.map((tick) => spanish(tick))) : 0;
  const step = Math.ceil(needed / (area.right - area.left)) || 1;
  return ticks.filter((_, index) => index % step === 0);
}

function gridLine({ area, value, across }, tick) {
  const at = value(tick);
  const line = across ? { x1: at, x2: at, y1: area.top, y2: area.bottom } : { x1: area.left, x2: area.right, y1: at, y2: at };
  const place = across ? { x: at, y: area.bottom + 16, "text-anchor": "middle" } : { x: area.left - 8, y: at + 4, "text-anchor": "end" };
  return svg("g", {}, svg("line", { class: tick === 0 ? "zero" : null, ...line }), svg("text", place, spanish(tick)));
}

// Every row's label, or every second, third … where there is no room; never two over each other.
function labelled({ area, places, across, labels }) {
  const step = Math.ceil((widest(labels) * labels.length) / (area.right - area.left)) || 1;
  let free = -Infinity;
  return labels.map((label, index) => {
    if (!across && index % step) return null;
    if (across) return svg("text", { x: area.left - 8, y: places[index] + 4, "text-anchor": "end" }, label);
    const half = (LETTER * label.length) / 2;
    if (places[index] - half < free) return null;
    free = places[index] + half + 4;
    return svg("text", { x: places[index], y: area.bottom + 16, "text-anchor": "middle" }, label);
  });
}

function told({ labels, series }, order, index) {
  const { column, values } = series[order];
  const unit = column.unit ? ` ${column.unit}` : "";
  return svg("title", {}, `${labels[index]} · ${column.title}: ${shown(values[index], "number")}${unit}`);
}

// What a mark stands for, so that it can be held against the table.
function datum({ series }, order, index) {
  return { "data-row": index, "data-column": series[order].column.key, "data-value": series[order].values[index] };
}
