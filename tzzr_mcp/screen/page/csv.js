
// A table as CSV (RFC 4180), with the numbers as JSON has them.

function csvOf(columns, rows) {
  const lines = [columns.map(headed), ...rows];
  return lines.map((cells) => cells.map(csvCell).join(",")).join("\r\n") + "\r\n";
}

function csvCell(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? harmless(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// A spreadsheet would calculate a text that begins so; the apostrophe makes it show the text.
function harmless(text) {
  return /^[=@\t\r]|^[+-](?![\d\s.,]*$)/.test(text) ? `'${text}` : text;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

// Where the host grants no clipboard, the older command may still work.
function copiedBySelection(text) {
  const area = element("textarea", { class: "away", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}
