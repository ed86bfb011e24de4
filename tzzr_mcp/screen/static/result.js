// A tool's result (`structuredContent` as tzzr declares it) as what a person sees.

import { ChartView } from "./chart.js";
import { button, copied, element } from "./dom.js";
import { countText } from "./format.js";
import { Rows } from "./rows.js";
import { sourceText } from "./source.js";
import { TableView } from "./table.js";

const SHOWN = 20000;

/** The elements of a result, in the order in which they are read. */
export function drawnResult(result, host) {
  const { notice, tables = [], charts = [], source, links = [] } = result.structuredContent ?? {};
  const rows = new Map(tables.map((table) => [table.id, new Rows(table)]));
  const save = host.can("downloadFile") ? (...file) => host.save(...file) : null;
  const text = result.isError || !tables.length ? textOf(result) : null;
  return [
    notice && element("p", { class: `notice ${notice.level}`, role: notice.level === "info" ? "status" : "alert" }, notice.text),
    text && element("p", { class: result.isError ? "words error" : "words", role: result.isError ? "alert" : null }, text),
    ...charts.map((chart) => drawnChart(chart, rows.get(chart.table))),
    ...tables.map(({ id }) => new TableView(rows.get(id), source ?? null, save).node),
    source && footer(source, links, result._meta ?? {}, host),
  ].filter(Boolean);
}

function textOf({ content = [] }) {
  return content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n");
}

function drawnChart(chart, rows) {
  if (rows?.table.rows.length) return new ChartView(rows, chart).node;
  return element("p", { class: "quiet" }, `No hay datos para dibujar «${chart.title}».`);
}

function footer(source, links, meta, host) {
  const marks = [source.simulated && "Datos simulados", meta["tzzr/invented"] && "Contenido inventado"].filter(Boolean);
  return element("footer", {},
    element("p", {}, "Fuente: ", followed(source.name, source.url, host), ` · ${sourceText(source)}`),
    element("p", {}, marks.map((mark) => element("span", { class: "mark" }, mark))),
    links.length ? element("ul", { class: "links" }, links.map(({ title, uri }) => element("li", {}, followed(title, uri, host)))) : null);
}

/** The page opens nothing itself: the host follows a web address, and reads a resource of the server. */
function followed(title, uri, host) {
  if (!uri) return title;
  const web = /^https?:\/\//i.test(uri), look = { class: "link", title: uri };
  if (web && host.can("openLinks")) return button(title, () => host.open(uri), look);
  if (!web && host.can("serverResources")) return button(title, (event) => unfolded(event.currentTarget, uri, host), look);
  return element("span", {}, title, " ", element("code", {}, uri));
}

async function unfolded(link, uri, host) {
  if (link.nextElementSibling) return link.nextElementSibling.remove();
  const place = element("section", { class: "resource" }, element("p", { class: "quiet" }, "Leyendo…"));
  link.after(place);
  try {
    const text = ((await host.read(uri)).contents ?? []).map((each) => each.text ?? "(contenido binario)").join("\n");
    const copy = button("Copiar todo", () => copied(copy, text));
    place.replaceChildren(copy, element("pre", { tabindex: "0" }, text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text));
  } catch (error) {
    place.replaceChildren(element("p", { class: "quiet" }, `No se pudo leer: ${error.message}`));
  }
}

/** What a screen reader says when the result is there; the rest it reads when it is asked to. */
export function announced({ structuredContent: parts, isError }) {
  if (isError) return "";
  const { charts = [], tables = [] } = parts ?? {};
  const told = [charts.length && countText(charts.length, "gráfico", "gráficos"), tables.length && countText(tables.length, "tabla", "tablas")];
  return `Resultado: ${told.filter(Boolean).join(" y ") || "texto"}.`;
}
