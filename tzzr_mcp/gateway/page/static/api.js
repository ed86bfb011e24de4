// The gateway's API, as any client would use it. Paths are relative: the page works behind any prefix.

/** What the gateway refuses, in Spanish. */
export class Refused extends Error {
  constructor(message, status = 0, retryable = true) {
    super(message);
    this.status = status;
    this.retryable = retryable;
  }
}

const UNREACHED = "No se pudo hablar con el asistente. Compruebe la conexión y vuelva a intentarlo.";
const CUT = "La respuesta se cortó antes de terminar. Puede volver a intentarlo.";
const NO_TOKEN = "Hace falta la clave de acceso.";
const KEY = "tzzr-token";

/** The token comes in the address after #, which no server and no log sees, and stays in this tab. */
function token() {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (given) {
    sessionStorage.setItem(KEY, decodeURIComponent(given[1]));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}

/** Keeps the token that the person typed. */
export function useToken(text) {
  sessionStorage.setItem(KEY, text);
}

async function reach(path, options = {}) {
  const known = token();
  const headers = { ...options.headers, ...(known ? { Authorization: `Bearer ${known}` } : {}) };
  let reply;
  try {
    reply = await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(UNREACHED);
  }
  if (!reply.ok) throw await refusal(reply);
  return reply;
}

async function refusal(reply) {
  if (reply.status === 401) return new Refused(NO_TOKEN, 401, true);
  const told = await reply.json().catch(() => null);
  const message = told?.error?.message ?? `El asistente no aceptó la petición (HTTP ${reply.status}).`;
  return new Refused(message, reply.status, told?.error?.retryable ?? reply.status >= 500);
}

/** The tools of the catalogue. */
export async function tools() {
  return listed(await (await reach("api/tools")).json(), "tools");
}

/** The resources and templates. */
export async function resources() {
  return listed(await (await reach("api/resources")).json(), "resources");
}

const listed = (told, name) => (Array.isArray(told) ? told : told[name] ?? []);

/** The text of a resource and its media type. */
export async function read(uri) {
  const reply = await reach(`api/resources/read?uri=${encodeURIComponent(uri)}`);
  return { text: await reply.text(), type: (reply.headers.get("content-type") ?? "text/plain").split(";")[0] };
}

/** One turn: hands every event to `tell` as it comes. Raises `Refused`, or AbortError once `signal` is aborted. */
export async function chat(messages, signal, tell) {
  const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
  const reply = await reach("api/chat", { method: "POST", headers, signal, body: JSON.stringify({ messages }) });
  let ended = false;
  for await (const event of eventsOf(reply.body)) {
    ended ||= event.type === "done";
    tell(event);
  }
  if (!ended) throw new Refused(CUT);
}

async function* eventsOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const piece = () => reader.read().catch((error) => { throw error.name === "AbortError" ? error : new Refused(CUT); });
  let waiting = "";
  try {
    for (let read = await piece(); !read.done; read = await piece()) {
      waiting += read.value;
      const blocks = waiting.split(/\r?\n\r?\n/);
      waiting = blocks.pop();
      yield* blocks.map(eventOf).filter((event) => event !== null);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function eventOf(block) {
  const lines = block.split(/\r?\n/).filter((line) => line.startsWith("data:"));
  return lines.length ? JSON.parse(lines.map((line) => line.slice(5)).join("\n")) : null;
}
