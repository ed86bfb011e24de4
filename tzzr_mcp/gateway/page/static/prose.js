// The model's words. A little of Markdown is drawn (paragraphs, lists, headings, bold, code); whatever else a model or a
// document writes, tags, images and links included, stays visible as the text that it is.

import { element } from "./dom.js";

const MARKED = /(\*\*[^*\n]+\*\*|`[^`\n]+`|(?<=^|\s)\*[^*\s](?:[^*\n]*[^*\s])?\*(?=$|[\s.,;:!?)]))/;
const EMPHASIS = /^\*[^*]+\*$/;
const LIST = /^\s*(?:[-*•]|(\d{1,3})[.)])\s+(.*)$/;

/** The nodes of a text. */
export function prose(text) {
  return blocksOf(text).map((block) => block.build());
}

function blocksOf(text) {
  const blocks = [];
  let fence = null;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) {
      fence = fence ? null : push(blocks, new Code());
    } else if (fence) {
      fence.lines.push(line);
    } else {
      place(blocks, line);
    }
  }
  return blocks.filter((block) => block.lines.length);
}

function place(blocks, line) {
  const item = LIST.exec(line), title = /^#{1,6}\s+(.*)$/.exec(line);
  if (inColumns(line, blocks.at(-1))) open(blocks, Aligned).lines.push(line);
  else if (title) push(blocks, new Heading(title[1]));
  else if (item) open(blocks, item[1] ? Numbered : List, item[1]).lines.push(item[2]);
  else if (!line.trim()) push(blocks, new Paragraph());
  else open(blocks, Paragraph).lines.push(line);
}

/** The block of this kind that is being written, or a new one. */
function open(blocks, Kind, ...given) {
  return blocks.at(-1)?.constructor === Kind ? blocks.at(-1) : push(blocks, new Kind(...given));
}

const inColumns = (line, last) => /^ {2,}\S.* {2}/.test(line) || (last instanceof Aligned && /^ {2}/.test(line));

function push(blocks, block) {
  blocks.push(block);
  return block;
}

class Paragraph {
  lines = [];
  build() { return element("p", {}, ...inline(this.lines.join("\n"))); }
}

class Heading {
  constructor(text) { this.lines = [text]; }
  build() { return element("p", { class: "heading", role: "heading", "aria-level": "4" }, ...inline(this.lines[0])); }
}

class Code {
  lines = [];
  build() { return element("pre", { tabindex: "0" }, this.lines.join("\n")); }
}

/** Lines that their writer put in columns with spaces. */
class Aligned {
  lines = [];
  build() { return element("pre", { class: "aligned" }, this.lines.join("\n")); }
}

class List {
  lines = [];
  build() { return element("ul", {}, ...this.items()); }
  items() { return this.lines.map((line) => element("li", {}, ...inline(line))); }
}

class Numbered extends List {
  constructor(start) { super(); this.start = start; }
  build() { return element("ol", { start: this.start }, ...this.items()); }
}

function inline(text) {
  return text.split(MARKED).map((part) => {
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return element("strong", {}, part.slice(2, -2));
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return element("code", {}, part.slice(1, -1));
    if (part.length > 2 && EMPHASIS.test(part)) return element("em", {}, part.slice(1, -1));
    return part;
  });
}
