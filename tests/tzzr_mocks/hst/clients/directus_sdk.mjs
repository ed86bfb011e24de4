// Calls the fake with Directus' own JS client, one call after another, as it was done with the real server. Standard
// input: {modules, base, tokens}. Standard output: one JSON object, what came of each call by its name in the recording.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { modules, base, tokens } = JSON.parse(readFileSync(0, "utf-8"));
const sdk = await import(pathToFileURL(join(modules, "@directus", "sdk", "dist", "index.js")));
const { aggregate, createItem, createItems, deleteItem, deleteItems, readItem, readItems, updateItem, updateItems } = sdk;

const as = (token) => sdk.createDirectus(base).with(sdk.staticToken(token)).with(sdk.rest());
const [reader, admin] = [as(tokens.reader), as(tokens.admin)];
const anonymous = sdk.createDirectus(base).with(sdk.rest());
const graphql = sdk.createDirectus(base).with(sdk.staticToken(tokens.reader)).with(sdk.graphql());
const loggedIn = (mode) => sdk.createDirectus(base).with(sdk.authentication(mode, { autoRefresh: false })).with(sdk.rest());
const [byJson, bySession] = [loggedIn("json"), loggedIn("session")];
const who = { email: "reader@example.com", password: "Lab-Passw0rd!" };

const level2 = { nivel: { _eq: 2 } };
const spain = { filter: { ref: { _eq: "ES" } }, fields: ["ref"] };
const first = { fields: ["ref"], limit: 1 };
const searched = {
  search: "castillo", limit: 1, offset: 1, alias: { nom: "nombre" }, fields: ["ref", "nom"],
  deep: { padre: { _limit: 1 } }, filter: { padre: { _null: false }, nivel: { _in: [1, 2] }, activo: { _eq: true } },
};
const sorted = {
  fields: ["id", "ref", "nombre"], filter: { _and: [level2, { nombre: { _contains: "Peña" } }] },
  sort: ["-orden", "ref"], limit: 2, page: 1,
};
const figures = {
  aggregate: { countDistinct: ["grupo", "nivel"], max: ["orden"] }, query: { filter: level2, sort: ["grupo"] },
};

const calls = {
  "readItems('tags_flg')": () => reader.request(readItems("tags_flg")),
  "readItems('tags_hst', {fields, filter, sort, limit, page})": () => reader.request(readItems("tags_hst", sorted)),
  "readItems with search, offset, alias, deep, _in, _null": () => reader.request(readItems("tags_hst", searched)),
  "readItems fields ['*', {padre: ['*']}]": () =>
    reader.request(readItems("tags_flg", { fields: ["*", { padre: ["id", "ref"] }], limit: 1 })),
  "readItems limit -1": () => reader.request(readItems("tags_flg", { fields: ["ref"], limit: -1 })),
  "readItem('tags_flg', 38)": () => reader.request(readItem("tags_flg", 38, { fields: ["ref", "nombre"] })),
  "readItem('tags_flg', 999): refused": () => reader.request(readItem("tags_flg", 999)),
  "readItems('no_such'): refused": () => reader.request(readItems("no_such")),
  "aggregate count, groupBy": () => reader.request(aggregate("tags_hst", { aggregate: { count: "*" }, groupBy: ["grupo"] })),
  "aggregate several, query": () => reader.request(aggregate("tags_hst", figures)),
  "withSearch(readItems)": () => reader.request(sdk.withSearch(readItems("tags_flg", spain))),
  "withToken(admin, readItem)": () =>
    anonymous.request(sdk.withToken(tokens.admin, readItem("tags_flg", 1, { fields: ["ref"] }))),
  "withOptions(headers)": () =>
    anonymous.request(sdk.withOptions(readItem("tags_flg", 1, { fields: ["ref"] }), { headers: { "x-test": "1" } })),
  "readItems with version and meta in the query": () => reader.request(readItems("tags_flg", { ...first, meta: "total_count" })),
  "anonymous readItems: refused": () => anonymous.request(readItems("tags_flg")),
  "readMe": () => reader.request(sdk.readMe()),
  "serverPing": () => reader.request(sdk.serverPing()),
  "serverInfo": () => reader.request(sdk.serverInfo()),
  "serverHealth": () => reader.request(sdk.serverHealth()),
  "readCollections (reader): refused": () => reader.request(sdk.readCollections()),
  "readFieldsByCollection (admin)": () => admin.request(sdk.readFieldsByCollection("tags_flg")),
  "graphql query": () =>
    graphql.query("query($r: String) { tags_flg(filter: {ref: {_eq: $r}}) { ref nombre } }", { r: "ES" }),
  "customEndpoint": () => reader.request(sdk.customEndpoint({ path: "/items/tags_flg", params: first })),
  "createItem (reader): refused": () => reader.request(createItem("tags_flg", { ref: "ZZ" })),
  "createItem (admin)": () =>
    admin.request(createItem("tags_flg", { ref: "ZZ", nombre: "Zeta" }, { fields: ["id", "ref"] })),
  "createItems (admin)": () => admin.request(createItems("tags_flg", [{ ref: "ZY" }, { ref: "ZX" }])),
  "createItem duplicate (admin): refused": () => admin.request(createItem("tags_flg", { ref: "ZZ" })),
  "updateItem (admin)": () => admin.request(updateItem("tags_flg", 66, { nombre: "Zeta 2" }, { fields: ["nombre"] })),
  "updateItems (admin)": () => admin.request(updateItems("tags_flg", [67, 68], { nombre: "Zeta 3" })),
  "deleteItem (admin)": () => admin.request(deleteItem("tags_flg", 66)),
  "deleteItems (admin)": () => admin.request(deleteItems("tags_flg", [67, 68])),
  "authentication('json').login": () => byJson.login(who),
  "readItems after login": () => byJson.request(readItems("tags_flg", first)),
  "refresh": () => byJson.refresh(),
  "logout": () => byJson.logout(),
  "authentication('session').login": () => bySession.login(who, { mode: "session" }),
  "readItems('directus_users')": () => reader.request(readItems("directus_users")),
};

async function outcome(call) {
  try {
    return { value: await call() };
  } catch (error) {
    return { threw: error.errors?.[0]?.message ?? error.message, status: error.response?.status };
  }
}

const results = {};
for (const [name, call] of Object.entries(calls)) results[name] = await outcome(call);
process.stdout.write(JSON.stringify(results));
