import { plainQuotes, wordsOf } from "../../src/ingest/formats/pdf.ts";
import { SAMPLE, SAMPLE_TEXT } from "./sample.ts";

/** What is found of the sample in a markdown text: `yes`, `no`, or so many of so many. */
export interface Found {
  readonly words: string;
  readonly headings: string;
  readonly levels: string;
  readonly bullets: string;
  readonly nested: string;
  readonly numbered: string;
  readonly table: string;
  readonly link: string;
}

/** Looks for every part of the sample, one by one. */
export function lookFor(markdown: string): Found {
  const text = plainQuotes(markdown);
  const lines = text.split("\n");
  const has = (line: RegExp): boolean => lines.some((each) => line.test(each));
  const counted = (found: readonly boolean[]): string =>
    found.every(Boolean)
      ? "yes"
      : found.some(Boolean)
        ? `${found.filter(Boolean).length} of ${found.length}`
        : "no";
  const isHeading = (title: string, level: string): boolean =>
    has(new RegExp(`^#${level} ${escaped(title)}$`, "u"));
  return {
    words: strictRecall(SAMPLE_TEXT, markdown).toFixed(3),
    headings: counted(SAMPLE.headings.map(([, title]) => isHeading(title, "{1,6}"))),
    levels: counted(SAMPLE.headings.map(([level, title]) => isHeading(title, `{${level}}`))),
    bullets: counted(
      SAMPLE.list.map(([, item]) => has(new RegExp(`^ *[-*] ${escaped(item)}$`, "u"))),
    ),
    nested: counted(
      SAMPLE.list.map(([level, item]) =>
        has(new RegExp(`^${level === 0 ? "" : " {2,4}"}[-*] ${escaped(item)}$`, "u")),
      ),
    ),
    numbered: counted(
      SAMPLE.steps.map((step, at) => has(new RegExp(`^ *${at + 1}\\. ${escaped(step)}$`, "u"))),
    ),
    table: counted(
      SAMPLE.table.map((row) =>
        has(new RegExp(`^\\| *${row.map(escaped).join(" *\\| *")} *\\|`, "u")),
      ),
    ),
    link: text.includes(`[${plainQuotes(SAMPLE.link.text)}](${SAMPLE.link.address})`)
      ? "yes"
      : "no",
  };
}

/** The share of words that are there, each as often as it should be. */
function strictRecall(expected: string, found: string): number {
  const left = Map.groupBy(wordsOf(found), (word) => word);
  const words = wordsOf(expected);
  const there = words.filter((word) => left.get(word)?.pop() !== undefined);
  return there.length / words.length;
}

function escaped(text: string): string {
  return plainQuotes(text).replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
}
