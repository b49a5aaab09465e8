import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

import { parsePage } from "../src/ingest/convert/html.ts";
import type { HtmlElement } from "../src/ingest/convert/html-types.ts";
import { wordsOf } from "../src/ingest/formats/pdf.ts";

/** What a document holds, by the text it was made from or a twin of it in another format. */
export interface Truth {
  readonly words: readonly string[];
  readonly headings: readonly string[];
  readonly items: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export function truthOf(markdown: string): Truth {
  const words: string[] = [];
  const headings: string[] = [];
  const items: string[] = [];
  const rows: string[][] = [];
  const visit = (node: Nodes): void => {
    if (node.type === "html" || node.type === "definition") return;
    if (node.type === "heading") headings.push(textOf(node));
    if (node.type === "tableRow") rows.push(node.children.map(textOf));
    if (node.type === "listItem" && node.children[0] !== undefined)
      items.push(textOf(node.children[0]));
    if ("value" in node) words.push(...wordsOf(node.value));
    if ("children" in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
  return { words, headings, items, rows };
}

function textOf(node: Nodes): string {
  if ("value" in node && node.type !== "html") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** Only words: of files that have no twin. */
export function wordsTruth(text: string): Truth {
  return { words: wordsOf(text), headings: [], items: [], rows: [] };
}

/** What is around the text of a page of documentation, and what only its HTML has. */
const NOT_TEXT =
  "script, style, nav, head, title, .toc, .toctree-wrapper, .sphinxsidebar, .related, .footer, .navheader, .navfooter, .headerlink, .contents, .lot, .list-of-tables";

/** What pages of HTML hold, one after the other. */
export function htmlTruth(pages: readonly string[]): Truth {
  const words: string[] = [];
  const headings: string[] = [];
  const items: string[] = [];
  const rows: string[][] = [];
  for (const page of pages) {
    const { body } = parsePage(page.replaceAll(/<\?xml[^>]*\?>/gu, ""));
    for (const around of body.querySelectorAll(NOT_TEXT)) around.remove();
    // Blocks that follow each other without white are two words.
    for (const block of body.querySelectorAll(
      "p, li, td, th, h1, h2, h3, h4, h5, h6, div, dt, dd, br, pre",
    ))
      block.replaceWith(" ", block, " ");
    words.push(...wordsOf(body.textContent ?? ""));
    const texts = (selector: string): string[] =>
      [...body.querySelectorAll(selector)].map((each) => each.textContent ?? "");
    headings.push(...texts("h1, h2, h3, h4, h5, h6").filter((text) => wordsOf(text).length > 0));
    items.push(...texts("li").filter((text) => wordsOf(text).length > 0));
    for (const row of body.querySelectorAll("table tr")) rows.push(cellsOf(row));
  }
  return { words, headings, items, rows: rows.filter((row) => row.length > 1) };
}

function cellsOf(row: HtmlElement): string[] {
  return [...row.children].map((cell) => cell.textContent ?? "");
}

/** How much of a document a text has: words as often as they should be, and structure as such. */
export interface Score {
  readonly recall: number;
  readonly headings: number;
  readonly items: number;
  readonly rows: number;
}

export function scoreOf(truth: Truth, markdown: string): Score {
  const left = Map.groupBy(wordsOf(markdown), (word) => word);
  const there = truth.words.filter((word) => left.get(word)?.pop() !== undefined).length;
  const lines = markdown.split("\n");
  const lettersOf = (pattern: RegExp): Set<string> =>
    new Set(
      lines.flatMap((line) => (pattern.test(line) ? [letters(line.replace(pattern, ""))] : [])),
    );
  const headings = lettersOf(/^#{1,6} /u);
  const items = [...lettersOf(/^[\s>]*(?:[-*+•]|\d+[.)]) +(?:\[[ x]\] )?/u)];
  // A row is a line of a table, or of the comma-separated values that a large one is.
  const rows = new Set(lines.filter((line) => /[|,]/u.test(line)).map(letters));
  return {
    recall: truth.words.length === 0 ? 1 : there / truth.words.length,
    headings: truth.headings.filter((heading) => headings.has(letters(heading))).length,
    items: truth.items.filter((item) => {
      // A long item may go on in the next line.
      const start = letters(item).slice(0, 30);
      return items.some(
        (found) => found.startsWith(start) || (found !== "" && start.startsWith(found)),
      );
    }).length,
    rows: truth.rows.filter((row) => rows.has(letters(row.join(" ")))).length,
  };
}

/** Letters and digits only, without addresses: programs differ in marks and links. */
function letters(text: string): string {
  return wordsOf(
    text
      .replaceAll(/\]\([^)]*\)/gu, "]")
      .replaceAll(/\\(?=<)/gu, "")
      .replaceAll(/<br>|<\/?[a-z][^>]*>|\{#[^}]*\}/gu, " "),
  ).join("");
}
