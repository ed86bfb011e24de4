// A pie: the shares of one column.

import { shape } from "./dom.js";

/** How many looks a series can have. */
export const SWATCHES = 6;

/** Draws into `svg` the first series. What is negative or empty has no share, and the drawing says so. */
export function drawPie(svg, { series, labels }, { width, height }) {
  const values = series[0].values.map((value) => value ?? 0), total = values.reduce((sum, value) => sum + value, 0);
  if (values.some((value) => value < 0) || total <= 0) return refused(svg, width, height);
  const pie = new Pie(values, total, [width / 2, height / 2], height / 2 - 10);
  svg.replaceChildren(...pie.slices);
  const legend = labels.map((title, place) => ({ title, swatch: place % SWATCHES }));
  const share = (place) => (values[place] / total) * 100;
  return { legend, share, nearest: (x, y) => pie.nearest(x, y), point: (place) => pie.mark(place) };
}

function refused(svg, width, height) {
  const text = "Un gráfico circular no puede mostrar estos valores; véalos en la tabla.";
  svg.replaceChildren(shape("text", { class: "tick", x: width / 2, y: height / 2, "text-anchor": "middle" }, text));
  return { legend: [], nearest: () => null, point: () => {} };
}

class Pie {
  constructor(values, total, centre, radius) {
    Object.assign(this, { centre, radius });
    let turned = 0;
    this.ends = values.map((value) => (turned += value / total));
    this.slices = values.map((value, place) => this.#slice(place, value === total));
  }

  #slice(place, whole) {
    const from = this.ends[place - 1] ?? 0, until = this.ends[place];
    const attributes = { class: `fill slice s${place % SWATCHES}`, "data-share": until - from };
    if (whole) return shape("circle", { ...attributes, cx: this.centre[0], cy: this.centre[1], r: this.radius });
    const bend = `A${this.radius} ${this.radius} 0 ${until - from > 0.5 ? 1 : 0} 1 ${this.#at(until)}`;
    return shape("path", { ...attributes, d: `M${this.centre.join(" ")}L${this.#at(from)}${bend}Z` });
  }

  #at(turned) {
    const angle = turned * 2 * Math.PI;
    return `${(this.centre[0] + Math.sin(angle) * this.radius).toFixed(2)} ${(this.centre[1] - Math.cos(angle) * this.radius).toFixed(2)}`;
  }

  nearest(x, y) {
    const [right, down] = [x - this.centre[0], y - this.centre[1]];
    if (Math.hypot(right, down) > this.radius) return null;
    const turned = (Math.atan2(right, -down) / (2 * Math.PI) + 1) % 1;
    return this.ends.findIndex((end) => turned <= end);
  }

  mark(chosen) {
    this.slices.forEach((slice, place) => slice.classList.toggle("aside", chosen !== null && place !== chosen));
  }
}
