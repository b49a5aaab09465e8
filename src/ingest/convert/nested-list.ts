/** A line of a list as slides have it: how deep it stands, rather than what it stands in. */
export interface ListLine {
  readonly level: number;
  readonly isOrdered: boolean;
  readonly html: string;
}

/** Lines with levels as HTML lists inside one another. */
export function nestedList(lines: readonly ListLine[]): string {
  let html = "";
  const open: { level: number; tag: string }[] = [];
  const close = (): void => {
    html += `</li></${open.pop()?.tag}>`;
  };
  for (const { level, isOrdered, html: text } of lines) {
    const tag = isOrdered ? "ol" : "ul";
    while ((open.at(-1)?.level ?? -1) > level) close();
    const last = open.at(-1);
    if (last?.level === level && last.tag !== tag) close();
    if (open.at(-1)?.level === level) html += "</li><li>";
    else {
      html += `<${tag}><li>`;
      open.push({ level, tag });
    }
    html += text;
  }
  while (open.length > 0) close();
  return html;
}
