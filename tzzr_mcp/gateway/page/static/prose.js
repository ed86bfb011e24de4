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
  const last = blocks.at(-1), item = LIST.exec(line), title = /^#{1,6}\s+(.*)$/.exec(line);
  if (title) push(blocks, new Heading(title[1]));
  else if (item) (last instanceof List && last.ordered === Boolean(item[1]) ? last : push(blocks, new List(item))).lines.push(item[2]);
  else if (!line.trim()) push(blocks, new Paragraph());
  else (last instanceof Paragraph ? last : push(blocks, new Paragraph())).lines.push(line);
}

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

class List {
  lines = [];
  constructor(item) { this.ordered = Boolean(item[1]); this.start = item[1]; }
  build() {
    const items = this.lines.map((line) => element("li", {}, ...inline(line)));
    return this.ordered ? element("ol", { start: this.start }, ...items) : element("ul", {}, ...items);
  }
}

function inline(text) {
  return text.split(MARKED).map((part) => {
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return element("strong", {}, part.slice(2, -2));
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return element("code", {}, part.slice(1, -1));
    if (part.length > 2 && EMPHASIS.test(part)) return element("em", {}, part.slice(1, -1));
    return part;
  });
}
