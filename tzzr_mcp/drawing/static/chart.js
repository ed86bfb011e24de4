// A chart: columns of a table, drawn. It holds no number of its own; it draws again when the table grows.

import { element, oncePerFrame, shape } from "./dom.js";
import { countText, heading, numberText } from "./format.js";
import { drawPie, SWATCHES } from "./pie.js";
import { drawPlot } from "./plot.js";

const KINDS = { line: "Gráfico de líneas", bar: "Gráfico de barras", area: "Gráfico de áreas", pie: "Gráfico circular" };
const HEIGHT = 250;

/** The drawn chart of `rows`. */
export class ChartView {
  #marks = null;
  #point = null;

  constructor(rows, chart) {
    this.rows = rows;
    this.chart = chart;
    this.node = this.#build();
    const draw = oncePerFrame(() => this.#draw());
    rows.addEventListener("change", draw);
    new ResizeObserver(draw).observe(this.canvas);
  }

  #build() {
    this.svg = shape("svg", { "aria-hidden": "true", focusable: "false" });
    const near = (event) => this.#near(event), listening = {
      keydown: (event) => this.#key(event), pointermove: near, pointerdown: near, pointerleave: () => this.#show(null),
    };
    const named = { class: "canvas", tabindex: "0", role: "group", "aria-roledescription": "gráfico" };
    this.canvas = element("div", { ...named, ...listening }, this.svg);
    this.legend = element("ul", { class: "legend", "aria-hidden": "true" });
    this.readout = element("p", { class: this.chart.y.length > 3 ? "readout long" : "readout", role: "status" });
    const name = element("figcaption", {}, this.chart.title);
    return element("figure", { class: "chart", "data-chart": this.chart.id, "data-kind": this.chart.kind }, name, this.legend, this.canvas, this.readout);
  }

  #draw() {
    const width = this.canvas.clientWidth;
    if (!width) return;
    const drawing = drawingOf(this.rows, this.chart);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.#marks = (this.chart.kind === "pie" ? drawPie : drawPlot)(this.svg, drawing, { width, height: HEIGHT });
    this.canvas.setAttribute("aria-label", this.#spoken(drawing));
    this.legend.replaceChildren(...this.#marks.legend.map(legendItem));
    this.#show(this.#point);
  }

  #spoken({ series, labels }) {
    const x = this.rows.column(this.chart.x), names = series.map((one) => one.title).join(", ");
    const size = countText(labels.length, "punto", "puntos");
    return `${this.chart.title}. ${KINDS[this.chart.kind]} de ${names} por ${x.title}, ${size}. Recórralo con las flechas izquierda y derecha.`;
  }

  #key(event) {
    const last = this.rows.table.rows.length - 1, here = this.#point ?? -1;
    const to = { ArrowRight: Math.min(last, here + 1), ArrowLeft: Math.max(0, here - 1), Home: 0, End: last }[event.key];
    if (to === undefined || last < 0) return;
    event.preventDefault();
    this.#show(to);
  }

  #near(event) {
    const box = this.canvas.getBoundingClientRect();
    this.#show(this.#marks?.nearest(event.clientX - box.left, event.clientY - box.top) ?? null);
  }

  #show(point) {
    this.#point = point;
    this.#marks?.point(point);
    this.readout.textContent = point === null ? "" : this.#told(point);
  }

  #told(point) {
    const row = this.rows.table.rows[point], { x, y } = this.chart;
    const cell = (key) => this.rows.text(row, this.rows.place(key)), column = (key) => this.rows.column(key);
    const values = y.map((key) => `${column(key).title}: ${cell(key)}${unit(column(key))}`);
    const share = this.#marks.share?.(point);
    const part = share === undefined ? [] : [`${numberText(Number(share.toFixed(1)))} %`];
    return [`${column(x).title} ${cell(x)}`, ...values, ...part].join(" · ");
  }
}

const unit = (column) => (column.unit ? ` ${column.unit}` : "");

function drawingOf(rows, chart) {
  const series = chart.y.map((key, place) => {
    const values = rows.values(key).map((value) => (Number.isFinite(value) ? value : null));
    return { key, title: heading(rows.column(key)), swatch: place % SWATCHES, values };
  });
  const raw = rows.values(chart.x), labels = raw.map((value) => rows.valueText(chart.x, value));
  const { type } = rows.column(chart.x), xTitle = heading(rows.column(chart.x));
  return { kind: chart.kind, stacked: Boolean(chart.stacked), series, raw, labels, type, xTitle };
}

function legendItem({ title, swatch, line }) {
  const stroke = shape("path", { class: `line s${swatch}`, d: "M0 5H22" });
  const field = shape("rect", { class: `fill s${swatch}`, width: 22, height: 10, rx: 2 });
  return element("li", {}, shape("svg", { class: "swatch", viewBox: "0 0 22 10" }, line ? stroke : field), title);
}
