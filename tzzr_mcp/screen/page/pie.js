
// Parts of a whole: a circle for each column, a colour for each row.

const RADIUS = 110;

function pies(model) {
  const wide = model.series.length * (2 * RADIUS + 40);
  const frame = { wide, high: 2 * RADIUS + 44 };
  const first = wide / model.series.length / 2;
  const drawn = model.series.map((_, order) => pie(model, order, first + (order * wide) / model.series.length));
  return framed(model, frame, drawn);
}

function pie(model, order, x) {
  const { column, values } = model.series[order];
  const whole = values.reduce((sum, value) => sum + (value ?? 0), 0);
  let before = 0;
  const slices = values.map((value, index) => {
    if (!value) return null;
    const from = before / whole;
    before += value;
    const part = slice(x, RADIUS + 8, from, before / whole);
    return svg(part.name, { class: `slice ${colour(index)}`, ...part.shape, ...datum(model, order, index) }, told(model, order, index));
  });
  return svg("g", {}, slices, svg("text", { x, y: 2 * RADIUS + 34, "text-anchor": "middle" }, headed(column)));
}

function slice(x, y, from, to) {
  if (to - from > 0.999999) return { name: "circle", shape: { cx: x, cy: y, r: RADIUS } };
  const edge = (share) => {
    const angle = 2 * Math.PI * share - Math.PI / 2;
    return `${(x + RADIUS * Math.cos(angle)).toFixed(2)},${(y + RADIUS * Math.sin(angle)).toFixed(2)}`;
  };
  const large = to - from > 0.5 ? 1 : 0;
  return { name: "path", shape: { d: `M${x},${y}L${edge(from)}A${RADIUS},${RADIUS} 0 ${large} 1 ${edge(to)}Z` } };
}
