/** A table with its first row as heading. Cells are markdown; their line breaks become `<br>`. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  if (width === 0) return "";
  const [heading = [], ...body] = rows;
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => cellText(cells[at] ?? "")).join(" | ")} |`;
  const ruler = `|${" --- |".repeat(width)}`;
  return [line(heading), ruler, ...body.map(line)].join("\n");
}

/** More cells are easier to read, and to search, as comma-separated values. */
const MAX_CELLS = 5000;

/** A table of plain texts; null when it is too large for one. */
export function plainTable(rows: readonly (readonly string[])[]): string | null {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.length * width > MAX_CELLS) return null;
  return tableMarkdown(rows.map((row) => row.map(plainCell)));
}

function cellText(markdown: string): string {
  return markdown
    .trim()
    .replaceAll(/(?<!\\)\|/gu, "\\|")
    .replaceAll(/\s*\n\s*/gu, "<br>");
}

/** Escapes plain text for a table cell or a line. */
export function plainCell(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>]/gu, (character) => `\\${character}`);
}

/** A code block that shows a text unchanged. */
export function fenced(text: string, language = ""): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n+$/u, "")}\n${fence}`;
}
