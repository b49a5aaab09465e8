import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { demoImage } from "../../src/testing/demo-image.ts";
import type { Files } from "../../src/testing/temporary-vault.ts";
import type { Place } from "../mcp/any-client.ts";
import { atRest } from "../mcp/at-rest.ts";
import { sharedService } from "../mcp/shared-service.ts";

/*
 * The vault on which the statements are tried. Its notes are stamped already, so that the background job leaves every byte of them as it
 * is; what need not be a note is a .txt, which it never stamps.
 */

/** A note with the frontmatter that the job would give it. */
export function stamped(body: string): string {
  const text = (tokens: number): string =>
    `---\ncreated: 2026-02-03T09:00:00\nupdated: 2026-02-10T17:45:00\ntokens: ${tokens}\n---\n${body}`;
  let tokens = 10;
  while (tokens !== tokensOf(text(tokens))) tokens = tokensOf(text(tokens));
  return text(tokens);
}

/** As the source documents count. */
export function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Days of a journal, the newest first, each with three lines. */
function journal(name: string, days: number): string {
  const entries = Array.from({ length: days }, (_, at) => {
    const day = new Date(Date.UTC(2026, 1, 10) - at * 86_400_000).toISOString().slice(0, 10);
    return `# ${day}\n\n## ${name}: entry ${days - at}\nWhat was done on the ${at + 1}. day before, in a sentence of some length.\n`;
  });
  return stamped(`\n${entries.join("\n")}`);
}

/** Lines of one length, so that what fits is easily counted. */
export function lines(count: number, word: string): string {
  return Array.from({ length: count }, (_, at) => `${`${word} ${at + 1} `.padEnd(40, ".")}\n`).join(
    "",
  );
}

const png = demoImage();
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const webp = Buffer.from("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==", "base64");
/** The start of a JPEG of 9 by 8 pixels: enough to be known as one. */
const jpeg = Buffer.from("/9j/wAARCAAIAAkDAQEBAQEBAQEB/9kAAA==", "base64");

/** One image of each kind that is known, by its name. */
export const IMAGES: Readonly<Record<string, Buffer>> = {
  "pictures/a.png": png,
  "pictures/b.jpg": jpeg,
  "pictures/c.jpeg": jpeg,
  "pictures/d.gif": gif,
  "pictures/e.webp": webp,
};

export const FILES: Files = {
  ...IMAGES,
  "projects/lantern/description.md": stamped("\n# Lantern\n\nA lamp for the pier.\n"),
  "projects/lantern/state.md": stamped(
    "\n## Where it stands\nThe lens is ground\n\n## Now\nFitting the burner\n\n## In the way\nThe glazier comes in May. Decided: plain glass until then.\n",
  ),
  "projects/lantern/tasks.md": stamped(
    "\n# Order the wick\nstatus: todo | prio: high | added: 2026-02-10 | project: lantern\n",
  ),
  "projects/lantern/changelog.md": journal("Lantern", 320),
  "projects/lantern/bucket/quote.md": stamped("\n# Quote of the glazier\n\n340 for the dome\n"),
  "projects/lantern/bucket/sketch.png": png,
  "projects/orchard/state.md": stamped("\n## Where it stands\nTwelve trees planted\n"),
  "projects/orchard/tasks.md": stamped("\n# Prune the quince\n"),
  "inbox/2026-02-10-lens/review.md": stamped("\n# Review\n\n## Question\n\nWhich lens is meant?\n"),
  "changelog.md": journal("House", 60),
  "bare.md": stamped(""),
  "headings.md": stamped(
    "\n# One\nfirst words\n\n## One, first\ntext\ntext\n### deep\nmore\n\n```\n# no heading\n```\n# Two\n## Two, first\nlast words\n",
  ),
  "fences.md": stamped("\n# 2026-02-09\n\n```sh\nls\n```\n\n# 2026-02-08\n"),
  "mixed/note.md": stamped("\nBeside a picture\n"),
  "mixed/plan.png": png,
  "layers/top.md": stamped("\nAbove\n"),
  "layers/under/deep.md": stamped("\nBelow\n"),
  // 100 characters, so 25 tokens; no newline at the end.
  "exact.txt": `${`${"a".repeat(19)}\n`.repeat(4)}${"b".repeat(20)}`,
  "uneven.txt": "short\na line of twenty-two\nend\n",
  // 50,000 tokens each: 4,878 lines of 40 characters with their newline, and a last one.
  "large/one.txt": `${lines(4878, "one")}1\n`,
  "large/two.txt": `${lines(4878, "two")}2\n`,
  "longer.txt": lines(9006, "longer"),
};

/** A file of the vault as it is on disk. */
export function onDisk({ root }: Place, name: string): string {
  return readFileSync(path.join(root, name), "utf8");
}

/** Puts a file there, as an editor does. */
export function put({ root }: Place, name: string, text: string): void {
  writeFileSync(path.join(root, name), text);
}

/** One running service for the tests of a file, on the vault of {@link FILES} and a folder without anything. */
export async function contractVault(): Promise<Place> {
  const place = await sharedService(FILES);
  mkdirSync(path.join(place.root, "hollow"));
  await atRest(place);
  return place;
}

/** A file's block, as the source documents draw it: written here a second time, not taken from the program. */
export function block(
  shown: string,
  text: string,
  { from = 1, to = Number.POSITIVE_INFINITY, header = shown } = {},
): string {
  const all = text.replace(/\n$/u, "").split("\n");
  const width = Math.max(2, String(all.length).length);
  const numbered = all.map((line, at) => `${String(at + 1).padEnd(width)} | ${line}`.trimEnd());
  return ["```" + header, ...numbered.slice(from - 1, to), "```"].join("\n");
}

/** The paths in the headers of an answer's blocks. */
export function headers(text: string): string[] {
  return [...text.matchAll(/^```(vault.*)$/gmu)].map(([, header = ""]) => header);
}

/** The numbered lines of an answer. */
export function numberedLines(text: string): string[] {
  return text.split("\n").filter((line) => /^\d+ *\|/u.test(line));
}
