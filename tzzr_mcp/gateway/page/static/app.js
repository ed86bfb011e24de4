// The page: asks, shows what comes, and keeps the conversation, which the gateway does not.

import { Answer } from "./answer.js";
import { chat, Refused, tools, useToken } from "./api.js";
import { announce } from "./announce.js";
import { button, byId, element } from "./dom.js";
import { Panel } from "./resources.js";
import { followTheme } from "./theme.js";

const SUGGESTED = 6;
const UNREAD = "La página no entendió la respuesta del asistente.";
const UNFINISHED = "(respuesta interrumpida)";

const panel = new Panel();
const [question, turns, welcome] = [byId("question"), byId("turns"), byId("welcome")];
let messages = [];
let running = null;

async function ask(text) {
  if (running) return;
  const before = messages, sent = [...before, { role: "user", content: text }];
  const answer = new Answer(text, { open: (uri) => panel.open(uri), again: () => askAgain(answer, before) });
  begin(answer);
  try {
    await chat(sent, running.signal, (event) => answer.take(event));
  } catch (error) {
    failed(answer, error);
  }
  finish(answer, sent);
}

/** The newest question once more, as if it had not been asked; an older one is a new question. */
function askAgain(answer, before) {
  if (running) return;
  if (turns.lastElementChild === answer.node) messages = before;
  ask(answer.question);
}

function begin(answer) {
  running = new AbortController();
  welcome.hidden = true;
  turns.append(answer.node);
  busy(true);
  const main = answer.node.closest("main");
  main.scrollTo({ top: main.scrollTop + answer.node.getBoundingClientRect().top - main.getBoundingClientRect().top });
}

function failed(answer, error) {
  if (error.name === "AbortError") answer.stop();
  else answer.fail(error instanceof Refused ? error.message : UNREAD, error.retryable ?? true);
  if (error.status === 401) byId("token").showModal();
}

/** A turn that ended as it should brings its messages; of one that did not, the words that came are kept. */
function finish(answer, sent) {
  answer.end();
  running = null;
  busy(false);
  if (!answer.node.isConnected) return; // a new conversation was begun meanwhile
  if (answer.messages) messages = [...sent, ...answer.messages];
  else if (answer.text) messages = [...sent, { role: "assistant", content: `${answer.text}\n\n${UNFINISHED}` }];
  announce("Respuesta terminada");
}

function busy(is) {
  byId("send").hidden = is;
  byId("cancel").hidden = !is;
  turns.setAttribute("aria-busy", String(is));
}

function submit() {
  const text = question.value.trim();
  if (!text || running) return;
  question.value = "";
  fit();
  ask(text);
}

function cancel() {
  running?.abort();
  question.focus();
}

function restart() {
  cancel();
  messages = [];
  turns.replaceChildren();
  welcome.hidden = false;
  announce("Conversación nueva");
}

/** The field grows with what is written, up to a third of the window. */
function fit() {
  question.style.height = "auto";
  question.style.height = `${Math.min(question.scrollHeight + 2, innerHeight / 3)}px`;
}

async function suggest() {
  const all = await tools();
  byId("trouble").hidden = true;
  const asked = rounds(all.map((tool) => (tool.refused ? [] : tool.questions ?? []))).slice(0, SUGGESTED);
  byId("suggestions").replaceChildren(...asked.map(suggestion));
  byId("catalogue").replaceChildren(...all.map(offered));
  byId("catalogue-fold").hidden = all.length === 0;
}

function suggestion(text) {
  const act = () => { ask(text); question.focus(); };
  return element("li", {}, button(element("span", {}, text), act, { title: text }));
}

function offered(tool) {
  const source = element("span", {}, tool.refused ?? tool.source?.name ?? "");
  return element("li", {}, element("strong", {}, tool.title || tool.name), source);
}

/** The first of each list, then the second of each: every tool has its say. */
function rounds(lists) {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list.slice(place, place + 1))).flat();
}

function keys(event) {
  if (event.defaultPrevented) return;
  if (event.key === "Escape" && running) cancel();
  if (event.key === "/" && !event.target.closest("input, textarea, select, dialog")) { event.preventDefault(); question.focus(); }
}

followTheme();
byId("composer").addEventListener("submit", (event) => { event.preventDefault(); submit(); });
question.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  submit();
});
question.addEventListener("input", fit);
byId("cancel").addEventListener("click", cancel);
byId("restart").addEventListener("click", () => { restart(); question.focus(); });
byId("token").addEventListener("close", () => { if (byId("token-value").value) { useToken(byId("token-value").value); start(); } });
document.addEventListener("keydown", keys);

function start() {
  suggest().catch((error) => {
    byId("trouble").hidden = false;
    byId("trouble").textContent = error.message;
    if (error.status === 401) byId("token").showModal();
  });
}
start();
