// What one call brought for the screen: charts, tables, links, and under them where it all comes from.

import { ChartView } from "./chart.js";
import { button, element } from "./dom.js";
import { Rows } from "./rows.js";
import { sourceText } from "./source.js";
import { TableView } from "./table.js";

/** The data of one call. `open` shows a resource of the server. */
export class Evidence {
  #tables = new Map();
  #waiting = [];

  constructor(title, open) {
    this.open = open;
    this.charts = element("div", { class: "charts" });
    this.tables = element("div");
    this.ways = element("ul", { class: "links", "aria-label": "Enlaces a los datos" });
    this.source = element("p", { class: "source" });
    this.node = element("section", { class: "evidence" }, element("h3", {}, title), this.charts, this.tables, this.ways, this.source);
  }

  table(table) {
    const rows = new Rows(table), view = new TableView(rows, this.cited ?? null);
    this.#tables.set(table.id, { rows, view });
    this.tables.append(view.node);
    this.#waiting = this.#waiting.filter((chart) => !this.#drawn(chart));
  }

  rows(id, rows) {
    this.#tables.get(id)?.rows.add(rows);
  }

  /** A chart is drawn as soon as its table is there, whichever comes first. */
  chart(chart) {
    if (!this.#drawn(chart)) this.#waiting.push(chart);
  }

  #drawn(chart) {
    const table = this.#tables.get(chart.table);
    if (table) this.charts.append(new ChartView(table.rows, chart).node);
    return Boolean(table);
  }

  links(links) {
    this.ways.append(...links.map((link) => element("li", {}, way(link, this.open))));
  }

  cite(source) {
    this.cited = source;
    for (const { view } of this.#tables.values()) view.source = source;
    this.source.replaceChildren(...citation(source));
  }
}

/** The source in words: name with its address, kind, time, licence, and a badge when a fake answered. */
export function citation(source) {
  const name = source.url ? outward(source.url, source.name) : source.name;
  const badge = source.simulated ? element("span", { class: "badge" }, "datos simulados") : null;
  return ["Fuente: ", name, ` · ${sourceText(source)} `, badge].filter((part) => part !== null);
}

/** A link to the web opens beside the page, one to a resource in the panel; any other address is only text. */
function way({ title, uri, media_type: type }, open) {
  if (/^https?:/i.test(uri)) return outward(uri, title);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(uri)) return button(title, () => open(uri), { class: "way", title: type ? `${uri} (${type})` : uri });
  return `${title}: ${uri}`;
}

function outward(uri, title) {
  if (!/^https?:/i.test(uri)) return title;
  const told = element("span", { class: "unseen" }, " (se abre en otra pestaña)");
  return element("a", { href: uri, target: "_blank", rel: "noopener noreferrer" }, title, told);
}
