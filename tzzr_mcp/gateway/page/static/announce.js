// What a screen reader says: whole sentences as they are complete, never a torrent of syllables.

import { byId } from "./dom.js";

const KEPT = 20;

/** Says a text when the reader has finished what it is saying. */
export function announce(text) {
  const said = document.createElement("p");
  said.textContent = text;
  byId("announcer").append(said);
  while (byId("announcer").childElementCount > KEPT) byId("announcer").firstElementChild.remove();
}

/** Collects streamed text and announces it sentence by sentence. */
export class Speech {
  #waiting = "";

  add(text) {
    this.#waiting += text;
    const ends = [...this.#waiting.matchAll(/[.!?:](?=\s)|\n/g)];
    if (ends.length) this.#say(ends.at(-1).index + 1);
  }

  end() {
    this.#say(this.#waiting.length);
  }

  #say(length) {
    const said = this.#waiting.slice(0, length).trim();
    this.#waiting = this.#waiting.slice(length);
    if (said) announce(said);
  }
}
