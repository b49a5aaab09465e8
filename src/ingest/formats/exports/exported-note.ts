import { converted, type ImageCollector, type InsideFile } from "../../convert/converted.ts";

/** A note that another program exported. */
export interface ExportedNote {
  readonly title: string;
  /** When it was made, as far as it is known; in milliseconds. */
  readonly created: number | null;
  readonly markdown: string;
  readonly tags?: readonly string[];
  readonly images?: ImageCollector;
}

const LONGEST_NAME = 100;

/** The note as a file that is already converted. Its name begins with its day, so that it keeps it in the vault. */
export function noteFile({
  title,
  created,
  markdown,
  tags = [],
  images,
}: ExportedNote): InsideFile {
  const heading = oneLine(title) || "Untitled";
  const date = created === null ? null : new Date(created);
  const day =
    date === null || Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
  const labels = tags.map(oneLine).filter((tag) => tag !== "");
  const front = [
    ...(day === null ? [] : [`date: ${day}`]),
    ...(labels.length === 0 ? [] : [`tags: ${JSON.stringify(labels)}`]),
  ];
  const block = front.length === 0 ? "" : `---\n${front.join("\n")}\n---\n\n`;
  const text = `${block}# ${heading.replaceAll(/[\\`*_[\]<>]/gu, String.raw`\$&`)}\n\n${markdown.trim()}\n`;
  const name = heading.replaceAll(/[/\\]/gu, " ").slice(0, LONGEST_NAME);
  return {
    name: `${day === null ? "" : `${day} `}${name}.md`,
    bytes: Buffer.from(text),
    converted: converted(heading, text, images === undefined ? {} : { images }),
  };
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
