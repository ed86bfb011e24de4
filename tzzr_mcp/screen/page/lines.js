
// Lines and areas. A row without a value is a gap.

const MOST_DOTS = 240;

function lines(model, wide) {
  const frame = frameOf(model, wide, false);
  const drawn = model.series.map((_, order) => lineOf(model, frame, order));
  return picture(model, frame, drawn);
}

function lineOf(model, frame, order) {
  const runs = runsOf(model.spans[order]);
  const top = (index) => `${frame.places[index]},${frame.value(model.spans[order][index][1])}`;
  const base = (index) => `${frame.places[index]},${frame.value(model.spans[order][index][0])}`;
  const area = (run) => svg("path", { class: "area", d: `M${run.map(top).join("L")}L${[...run].reverse().map(base).join("L")}Z` });
  const line = (run) => svg("path", { class: "line", d: `M${run.map(top).join("L")}` });
  const dotted = model.labels.length <= MOST_DOTS ? runs.flat() : runs.filter((run) => run.length === 1).flat();
  return svg("g", { class: colour(order) }, model.kind === "area" ? runs.map(area) : null, runs.map(line), dotted.map((index) => dot(model, frame, order, index)));
}

function dot(model, frame, order, index) {
  const place = { cx: frame.places[index], cy: frame.value(model.spans[order][index][1]), r: model.labels.length > 24 ? 1.8 : 3 };
  return svg("circle", { ...place, ...datum(model, order, index) }, told(model, order, index));
}

// The rows that have values, as unbroken runs.
function runsOf(spans) {
  const runs = [[]];
  spans.forEach((span, index) => {
    if (span === null) runs.push([]);
    else runs[runs.length - 1].push(index);
  });
  return runs.filter((run) => run.length);
}

function colour(order) {
  return `c${order % 8}`;
}
