
// From a chart's spec and its table to places: a chart has no numbers of its own.

function modelOf(chart, table) {
  const at = (key) => table.columns.findIndex((column) => column.key === key);
  if ([chart.x, ...chart.y].some((key) => at(key) < 0)) return null;
  const x = table.columns[at(chart.x)];
  const xs = table.rows.map((row) => row[at(chart.x)]);
  const series = chart.y.map((key) => ({ column: table.columns[at(key)], values: table.rows.map((row) => numberOr(row[at(key)])) }));
  const model = { chart, table, x, xs, labels: xs.map((value) => shown(value, x.type)), series };
  return { ...model, kind: kindOf(chart, series, xs.length), spans: spansOf(series, Boolean(chart.stacked)) };
}

function numberOr(cell) {
  return typeof cell === "number" ? cell : null;
}

const MOST_BARS = 400;

// What a circle cannot show, bars can: a negative part, or more parts than colours. Bars too thin to be seen are an area.
function kindOf(chart, series, count) {
  const fits = count <= 8 && series.every(({ values }) => values.every((value) => value === null || value >= 0));
  const kind = chart.kind === "pie" && !fits ? "bar" : chart.kind;
  return kind === "bar" && count > MOST_BARS ? "area" : kind;
}

// From where to where each value is drawn: from zero, or from the end of the one below it.
function spansOf(series, stacked) {
  const up = series[0].values.map(() => 0);
  const down = [...up];
  const span = (value, index) => {
    if (value === null) return null;
    if (!stacked) return [0, value];
    const sum = value < 0 ? down : up;
    const from = sum[index];
    sum[index] += value;
    return [from, sum[index]];
  };
  return series.map(({ values }) => values.map(span));
}

// Smallest and largest of what is drawn; a line alone may leave zero out, if that is far away.
function domainOf({ kind, spans }) {
  const known = spans.flat().filter((span) => span !== null);
  const ends = known.map(([, to]) => to);
  let [low, high] = ends.length ? [least(ends), -least(ends.map((end) => -end))] : [0, 1];
  const near = low > 0 ? low < high / 2 : high > low / 2;
  if (kind !== "line" || near) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

function least(values) {
  return values.reduce((one, other) => Math.min(one, other));
}

// About five round numbers that enclose the domain.
function ticksOf([low, high]) {
  const rough = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * [1, 2, 2.5, 5, 10].find((factor) => factor * unit >= rough * 0.999);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const decimals = Math.max(0, Math.ceil(-Math.log10(step)) + (String(step / unit) === "2.5" ? 1 : 0));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toFixed(Math.min(decimals, 20))));
}

function linear([low, high], [from, to]) {
  return (value) => Math.round((from + ((value - low) / (high - low)) * (to - from)) * 100) / 100;
}

// Where each row stands: by its number or date for lines, one beside the other otherwise.
function placesOf({ kind, x, xs }, [from, to]) {
  const values = x.type === "date" ? xs.map((value) => Date.parse(value)) : xs;
  const ordered = values.every((value, index) => Number.isFinite(value) && (index === 0 || value > values[index - 1]));
  if ((kind === "line" || kind === "area") && ordered && values.length > 1) {
    return values.map(linear([values[0], values[values.length - 1]], [from, to]));
  }
  const inner = kind === "bar" ? (to - from) / xs.length / 2 : 0;
  return xs.map((_, index) => (xs.length === 1 ? (from + to) / 2 : linear([0, xs.length - 1], [from + inner, to - inner])(index)));
}
