import fc from "fast-check";

import type { VaultPath } from "../../../vault/paths.ts";

const NAMES = ["a", "b", "été", "a b", "c#d", "e(f)", "A", "x%20y", "vault", "g:h"];
const FOLDERS = ["", "d/", "d/e/", "é à/", "inbox/i/", "vault/", "a/"];
const EXTENSIONS = [".md", ".md", ".md", ".markdown", ".png"];

const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES), fc.constantFrom(...EXTENSIONS))
  .map((parts) => parts.join(""));

/** Links in all the ways that people write them; many lead somewhere. */
const link = fc.tuple(path, fc.constantFrom(...NAMES), fc.nat(13)).map(([target, name, way]) => {
  const plain = target.replace(/\.md$/u, "");
  const last = plain.split("/").at(-1) ?? "";
  const encoded = target.split("/").map(encodeURIComponent).join("/");
  const ways = [
    `[[${name}]]`,
    `[[${last}|x]]`,
    `![[${plain}#h]]`,
    `[[/${plain}]]`,
    `[[vault/${target}]]`,
    `[a](${encoded})`,
    `[a](<${target.replace("%", "%25").replace("#", "%23")}> "t")`,
    `[a](/${encoded}#x)`,
    `![](./${encoded})`,
    `[a](../${encoded})`,
    `[r]: ${encoded}`,
    `\`[[${name}]]\``,
    `[[../${plain}]]`,
    `[f](${encoded.split("/")[0] ?? ""}/)`,
  ];
  return ways[way] ?? "";
});

interface Note {
  readonly alias: string | null;
  readonly links: readonly string[];
}

const note: fc.Arbitrary<Note> = fc.record({
  alias: fc.option(fc.constantFrom(...NAMES), { freq: 4 }),
  links: fc.array(link, { maxLength: 4 }),
});

/** Notes and images that link to each other. */
export const vaults = fc.dictionary(path, note, {
  minKeys: 2,
  maxKeys: 9,
  noNullPrototype: true,
});

/** What gets another path: a file or the folder it is in, chosen by a number. */
export const moves = fc.array(fc.record({ pick: fc.nat(), to: path, isFolder: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

/** The files of a vault; of two paths that cannot both be, the first. */
export function texts(notes: Readonly<Record<string, Note>>): Map<VaultPath, string> {
  const files = new Map<VaultPath, string>();
  for (const [file, { alias, links }] of Object.entries(notes)) {
    const isIn = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`);
    if ([...files.keys()].some((other) => isIn(file, other) || isIn(other, file))) continue;
    const block = alias === null ? "" : `---\naliases: ["${alias}"]\n---\n`;
    files.set(file, file.endsWith(".png") ? "png" : `${block}${links.join("\n\n")}\n`);
  }
  return files;
}
