// Where data comes from, in words.

import { instantText } from "./format.js";

const KINDS = { service: "servicio", dataset: "conjunto de datos", computation: "cálculo" };

/** Kind, time and licence of a source, parted by dots. */
export function sourceText({ kind, retrieved_at: retrieved, license }) {
  const told = [KINDS[kind] ?? kind, `consultado el ${instantText(retrieved)}`, license && `licencia ${license}`];
  return told.filter(Boolean).join(" · ");
}
