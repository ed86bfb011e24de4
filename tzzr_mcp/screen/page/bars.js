
// Bars: upright along numbers and dates; lying where the labels are words, which need room.

const MOST_LYING = 40;

function bars(model, wide) {
  const frame = frameOf(model, wide, model.x.type === "text" && model.labels.length <= MOST_LYING);
  const { area, across } = frame;
  const band = (across ? area.bottom - area.top : area.right - area.left) / Math.max(1, model.labels.length);
  const drawn = model.series.map((_, order) => svg("g", { class: colour(order) }, barsOf(model, frame, order, band * 0.8)));
  return picture(model, frame, drawn);
}

function barsOf(model, frame, order, room) {
  const beside = model.chart.stacked ? 1 : model.series.length;
  const thick = room / beside;
  const shift = model.chart.stacked ? 0 : order * thick;
  return model.spans[order].map((span, index) => {
    if (span === null) return null;
    const [one, other] = [frame.value(span[0]), frame.value(span[1])];
    const long = { from: Math.min(one, other), size: Math.abs(other - one) };
    const start = frame.places[index] - room / 2 + shift;
    const box = frame.across
      ? { x: long.from, width: long.size, y: start, height: Math.max(thick - 1, 0.5) }
      : { x: start, width: Math.max(thick - 1, 0.5), y: long.from, height: long.size };
    return svg("rect", { ...box, ...datum(model, order, index) }, told(model, order, index));
  });
}
