/** A line of a note as it is shown in an excerpt: without most marks of markdown. Empty for a line that says nothing by itself. */
export function excerptText(line: string): string {
  // A heading is shown above the excerpt already.
  if (/^#{1,6} /u.test(line)) return "";
  if (/^\s*(?:\|?\s*:?-{3,}:?\s*)+\|?\s*$/u.test(line) || /^\s*(?:```|~~~)/u.test(line)) return "";
  const isRow = /^\s*\|.*\|\s*$/u.test(line);
  const plain = isRow
    ? cellsOf(line).join(" · ")
    : line.replace(/^(\s*)[-*+] (?:\[[ x]\] )?/u, "$1• ");
  return plain
    .replaceAll(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]+)\]\]/gu, "$1")
    .replaceAll(/!?\[([^[\]]*)\]\([^()\s]*\)/gu, "$1")
    .replaceAll(/(\*\*|__|`)(.+?)\1/gu, "$2")
    .replace(/^\s*>\s?/u, "")
    .trim();
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "");
}
