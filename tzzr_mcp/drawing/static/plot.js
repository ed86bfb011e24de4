// Lines, areas and bars over two axes.

import { shape } from "./dom.js";
import { Scale, range, thinned, ticks } from "./scale.js";

const LETTER = 6.7;
const TOP = 10, BOTTOM = 40, RIGHT = 14;
const compact = new Intl.NumberFormat("es-ES", { notation: "compact", maximumFractionDigits: 2 });
const whole = new Intl.NumberFormat("es-ES", { maximumFractionDigits: 6, useGrouping: "always" });

/** Draws into `svg`. Gives the legend, and what finds and marks a point. */
export function drawPlot(svg, drawing, size) {
  const plot = new Plot(drawing, size);
  svg.replaceChildren(...plot.axes(), ...plot.marks(), plot.cursor);
  svg.dataset.low = plot.y.low;
  svg.dataset.high = plot.y.high;
  svg.dataset.bottom = plot.y.from;
  svg.dataset.top = plot.y.until;
  const line = drawing.kind === "line";
  const legend = drawing.series.map(({ title, swatch }) => ({ title, swatch, line }));
  return { legend, nearest: (x) => plot.nearest(x), point: (place) => plot.mark(place) };
}

class Plot {
  constructor(drawing, { width, height }) {
    Object.assign(this, drawing, { width, height });
    this.layers = drawing.stacked ? stackedLayers(drawing) : drawing.series.map(({ values }) => values.map((value) => [0, value]));
    const [low, high] = range(this.#extremes(), { zero: drawing.kind !== "line" });
    this.levels = ticks(low, high, 5);
    this.told = this.levels.map(Math.max(Math.abs(low), Math.abs(high)) >= 1e6 ? compact.format : whole.format);
    this.left = 10 + Math.max(...this.told.map((text) => text.length)) * LETTER;
    this.y = new Scale([low, high], [height - BOTTOM, TOP]);
    this.x = this.#across();
    this.cursor = shape("g", { class: "cursor" });
  }

  * #extremes() {
    for (const layer of this.layers) {
      for (const [base, top] of layer) {
        if (top !== null) { yield top; if (this.kind !== "line") yield base; }
      }
    }
  }

  /** Where each point stands: by its number or date on a scale, or one place after the other. */
  #across() {
    const until = this.width - RIGHT, count = this.raw.length;
    const numbers = this.type === "date" ? this.raw.map((value) => Date.parse(value)) : this.raw;
    const rising = numbers.every((value, place) => Number.isFinite(value) && (place === 0 || value > numbers[place - 1]));
    this.band = (until - this.left) / Math.max(1, count);
    if (this.kind === "bar" || this.type === "text" || !rising || count < 2) {
      return this.raw.map((_, place) => this.left + (place + 0.5) * this.band);
    }
    const scale = new Scale([numbers[0], numbers.at(-1)], [this.left, until]);
    return numbers.map((value) => scale.to(value));
  }

  axes() {
    const right = this.width - RIGHT, bottom = this.y.from;
    const levels = this.levels.flatMap((level, place) => {
      const y = this.y.to(level);
      return [shape("path", { class: level === 0 ? "zero" : "grid", d: `M${px(this.left)} ${px(y)}H${px(right)}` }),
        shape("text", { class: "tick", x: this.left - 6, y: y + 4, "text-anchor": "end" }, this.told[place])];
    });
    const title = shape("text", { class: "axis", x: right, y: this.height - 5, "text-anchor": "end" }, this.xTitle);
    return [...levels, ...this.#labels(bottom + 16), title];
  }

  #labels(y) {
    const longest = this.labels.reduce((most, label) => Math.max(most, label.length), 1);
    const letters = Math.min(longest, Math.max(12, Math.floor(this.band / LETTER) - 2)), room = letters * LETTER + 14;
    const places = thinned(this.labels.map((_, place) => place), Math.floor((this.width - this.left - RIGHT) / room));
    return places.map((place) => {
      const at = { x: px(this.x[place]), y, "text-anchor": this.#anchor(this.x[place], room) };
      return shape("text", { class: "tick", ...at }, short(this.labels[place], letters));
    });
  }

  #anchor(x, room) {
    return x + room / 2 > this.width ? "end" : "middle";
  }

  marks() {
    const draw = { line: this.#line, area: this.#area, bar: this.#bars }[this.kind];
    const looks = { line: "line", area: "area", bar: "fill" }[this.kind];
    return this.series.map(({ key, swatch }, place) => {
      const d = draw.call(this, this.layers[place], place);
      return shape("path", { class: `${looks} s${swatch}`, "data-series": key, d });
    });
  }

  #line(layer) {
    const through = (run) => this.#along(seen(run, this.x, layer), layer, 1).join("L");
    return runs(layer).map((run) => `M${through(run)}${run.length === 1 ? "h0" : ""}`).join("");
  }

  #area(layer) {
    const around = (run) => [...this.#along(run, layer, 1), ...this.#along(run, layer, 0).reverse()].join("L");
    return runs(layer).map((run) => `M${around(run)}Z`).join("");
  }

  /** The points of a stretch, at their base (0) or their top (1). */
  #along(run, layer, side) {
    return run.map((place) => `${px(this.x[place])} ${px(this.y.to(layer[place][side]))}`);
  }

  #bars(layer, place) {
    const beside = this.stacked ? 1 : this.series.length;
    const room = this.band * (this.band > 4 ? 0.76 : 1), width = Math.min(room / beside, 72);
    const shift = (this.stacked ? -0.5 : place - beside / 2) * width;
    return layer.map(([base, top], point) => {
      if (top === null) return "";
      const [from, until] = [px(this.y.to(base)), px(this.y.to(top))];
      return `M${px(this.x[point] + shift)} ${from}V${until}h${px(width)}V${from}Z`;
    }).join("");
  }

  nearest(x) {
    let low = 0, high = this.x.length - 1;
    if (high < 0) return null;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.x[middle] <= x) low = middle; else high = middle;
    }
    return Math.abs(this.x[low] - x) <= Math.abs(this.x[high] - x) ? low : high;
  }

  mark(place) {
    if (place === null || place >= this.x.length) return this.cursor.replaceChildren();
    const x = px(this.x[place]);
    const dots = this.kind === "bar" ? [] : this.series.flatMap(({ swatch }, one) => {
      const top = this.layers[one][place][1];
      return top === null ? [] : [shape("circle", { class: `dot s${swatch}`, cx: x, cy: px(this.y.to(top)), r: 3.5 })];
    });
    return this.cursor.replaceChildren(shape("path", { class: "hair", d: `M${x} ${TOP}V${this.y.from}` }), ...dots);
  }
}

const px = (value) => Number(value.toFixed(2));
const short = (label, letters) => (label.length > letters ? `${label.slice(0, letters - 1)}…` : label);

/** For each series [base, top] of each point: positive values pile up from zero, negative ones down. */
function stackedLayers({ series, raw }) {
  const up = raw.map(() => 0), down = raw.map(() => 0);
  return series.map(({ values }) => values.map((value, place) => {
    if (value === null) return [0, null];
    const pile = value < 0 ? down : up, base = pile[place];
    pile[place] += value;
    return [base, pile[place]];
  }));
}

/** The stretches of points without a gap. */
function runs(layer) {
  const found = [];
  let run = null;
  layer.forEach(([, top], place) => {
    if (top === null) run = null;
    else if (run) run.push(place);
    else found.push(run = [place]);
  });
  return found;
}

/** Of many points, those that can be seen: in each column of pixels the first, lowest, highest and last. */
function seen(run, xs, layer) {
  if (run.length < 4000) return run;
  const kept = [];
  for (let from = 0; from < run.length;) {
    let until = from, low = from, high = from;
    for (; until < run.length && Math.floor(xs[run[until]]) === Math.floor(xs[run[from]]); until += 1) {
      if (layer[run[until]][1] < layer[run[low]][1]) low = until;
      if (layer[run[until]][1] > layer[run[high]][1]) high = until;
    }
    kept.push(...[...new Set([from, low, high, until - 1])].sort((one, other) => one - other).map((place) => run[place]));
    from = until;
  }
  return kept;
}
