import type { StructuredPage } from "./pdf-structure.ts";

/** Puts the links of a page where their text stands, and those whose text is not found at its end. */
export function withLinks({ markdown, links }: StructuredPage): string {
  let text = markdown;
  const left: string[] = [];
  for (const { text: label, address } of links) {
    if (text.includes(`](${address})`) || left.includes(address)) continue;
    const at = label.length < 2 ? -1 : plainQuotes(text).indexOf(plainQuotes(label));
    if (at < 0) {
      if (!text.includes(address)) left.push(address);
      continue;
    }
    const end = at + label.length;
    text = `${text.slice(0, at)}[${text.slice(at, end)}](${address})${text.slice(end)}`;
  }
  if (left.length === 0) return text;
  return `${text}\n\n${left.map((address) => `- <${address}>`).join("\n")}`;
}

/** One reader writes typographic quotes as they are, the other plainly; the length is the same. */
export function plainQuotes(text: string): string {
  return text.replaceAll(/[\u2018\u2019]/gu, "'").replaceAll(/[\u201c\u201d]/gu, '"');
}
