
// A tool's result (`structuredContent` as tzzr declares it) as what a person sees.

const KINDS_OF_SOURCE = { service: "servicio", dataset: "conjunto de datos", computation: "cálculo" };

function drawnResult(result, host) {
  const parts = result.structuredContent ?? {};
  const tables = parts.tables ?? [];
  const text = result.isError || !tables.length ? textOf(result) : null;
  return [
    parts.notice ? noticed(parts.notice) : null,
    text ? element("p", { class: result.isError ? "text error" : "text", role: result.isError ? "alert" : null }, text) : null,
    (parts.charts ?? []).map((chart) => drawnChart(chart, tables)),
    tables.map((table) => drawnTable(table, host)),
    parts.source ? footer(parts, result._meta ?? {}, host) : null,
  ].flat().filter((part) => part !== null);
}

function textOf({ content = [] }) {
  return content.filter(({ type }) => type === "text").map(({ text }) => text).join("\n");
}

function noticed({ level, text }) {
  return element("p", { class: `notice ${level}`, role: level === "info" ? "status" : "alert" }, text);
}

function footer({ source, links = [] }, meta, host) {
  const marks = [source.simulated ? "Datos simulados" : null, meta["tzzr/invented"] ? "Contenido inventado" : null];
  return element("footer", {},
    element("p", {}, "Fuente: ", followed(source.name, source.url, host), ` · ${facts(source).join(" · ")}`),
    element("p", { class: "marks" }, marks.filter(Boolean).map((mark) => element("span", { class: "mark" }, mark))),
    links.length ? element("ul", { class: "links" }, links.map(({ title, uri }) => element("li", {}, followed(title, uri, host)))) : null);
}

function facts({ kind, license, retrieved_at: retrieved }) {
  const day = new Date(retrieved);
  const when = Number.isNaN(day.getTime()) ? retrieved : day.toLocaleDateString("es", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  return [KINDS_OF_SOURCE[kind] ?? kind, when, license ? `licencia ${license}` : null].filter(Boolean);
}

// The page opens nothing itself: the host follows a web address, and reads a resource of the server.
function followed(title, uri, host) {
  if (!uri) return title;
  if (/^https?:\/\//i.test(uri) && host.can("openLinks")) return linkButton(title, uri, () => host.open(uri));
  if (!/^https?:\/\//i.test(uri) && host.can("serverResources")) return linkButton(title, uri, (event) => unfolded(event.currentTarget, uri, host));
  return element("span", {}, title, " ", element("code", {}, uri));
}

function linkButton(title, uri, follow) {
  return element("button", { type: "button", class: "link", title: uri, click: follow }, title);
}

async function unfolded(button, uri, host) {
  const shownAlready = button.nextElementSibling;
  if (shownAlready) return shownAlready.remove();
  const place = element("section", { class: "resource" }, element("p", { class: "quiet" }, "Leyendo…"));
  button.after(place);
  try {
    const text = ((await host.read(uri)).contents ?? []).map((each) => each.text ?? "(contenido binario)").join("\n");
    place.replaceChildren(element("div", { class: "tools" }, copyButton("Copiar todo", () => text)), element("pre", { tabindex: "0" }, text.length > 20000 ? `${text.slice(0, 20000)}…` : text));
  } catch (error) {
    place.replaceChildren(element("p", { class: "quiet" }, `No se pudo leer: ${error.message}`));
  }
}

// What a screen reader says when the result is there; the rest it reads when it is asked to.
function announced({ structuredContent: parts, isError }) {
  if (isError) return "";
  const { charts = [], tables = [] } = parts ?? {};
  const counted = [[charts.length, "gráfico", "gráficos"], [tables.length, "tabla", "tablas"]];
  const told = counted.filter(([count]) => count).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
  return `Resultado: ${told.join(" y ") || "texto"}.`;
}
