import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { MemoryIndex } from "../index/create-index.ts";
import { fillIndex } from "../index/fill-index.ts";
import { temporaryVault, type Files } from "../testing/temporary-vault.ts";
import { sourcesInText } from "./answer-sources.ts";
import type { CitedSource, VerifiedSource } from "./contract.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import { verifySources } from "./verify.ts";

/** A vault, and how to cite it and look again. */
async function home(files: Files) {
  const vault = temporaryVault(files);
  const at = (name: string): string => path.join(vault.root, name);
  const indexed = async (): Promise<MemoryIndex> => {
    const index = new MemoryIndex();
    await fillIndex(vault, index);
    return index;
  };
  return {
    at,
    write: (name: string, text: string): void => {
      mkdirSync(path.dirname(at(name)), { recursive: true });
      writeFileSync(at(name), text);
    },
    read: (name: string): string => readFileSync(at(name), "utf8"),
    cite: async (name: string, lines: string): Promise<CitedSource> => {
      const [start = 1, end = start] = lines.split("-").map(Number);
      const all = readFileSync(at(name), "utf8").replaceAll("\r\n", "\n").split("\n");
      const text = all.slice(start - 1, end).join("\n");
      const passages = [{ mark: 1, path: `vault/${name}`, lines, text }];
      const { evidence } = await gatherEvidence(passages, vault, await indexed());
      const [first] = evidence;
      if (first === undefined) throw new Error("no evidence");
      return { ...first, text };
    },
    look: async (source: CitedSource): Promise<VerifiedSource> => {
      const { sources } = await verifySources([source], { vault, index: await indexed() });
      const [only] = sources;
      if (only === undefined) throw new Error("no source");
      return only;
    },
  };
}

const NOTE = "# Roof\n\nHale does the roof for 4,280.\nHe starts on Monday.\n\n# Door\n\nRed.\n";

describe("a source", () => {
  it("is the same, whatever changes around it and at the ends of its lines", async () => {
    const { cite, look, write } = await home({ "a.md": NOTE });
    const source = await cite("a.md", "3-4");
    expect(await look(source)).toMatchObject({ state: "same", to: null, by: null });
    write("a.md", `${NOTE}\nMore.\n`);
    expect((await look(source)).state).toBe("same");
    write("a.md", NOTE.replaceAll("\n", "\r\n"));
    expect((await look({ ...source, text: null })).state).toBe("same");
    write("a.md", NOTE.slice(0, NOTE.indexOf("\n\n# Door")));
    expect((await look(source)).state).toBe("same");
  });

  it("moved within its file, with its file, or into another", async () => {
    const { cite, look, write, at } = await home({ "a.md": NOTE, "sub/b.md": "b\n" });
    const source = await cite("a.md", "3-4");
    write("a.md", `New.\n\n${NOTE}`);
    expect(await look(source)).toMatchObject({
      state: "moved",
      to: { path: "vault/a.md", lines: "5-6" },
    });
    renameSync(at("a.md"), at("sub/a.md"));
    write("other.md", NOTE);
    expect(await look(source)).toMatchObject({
      state: "moved",
      to: { path: "vault/sub/a.md", lines: "5-6" },
    });
    rmSync(at("sub/a.md"));
    expect((await look({ ...source, text: null })).to).toEqual({
      path: "vault/other.md",
      lines: "3-4",
    });
  });

  it("changed, or is gone with its file or its place in it", async () => {
    const { cite, look, write, at } = await home({ "a.md": NOTE });
    const source = await cite("a.md", "3-4");
    write("a.md", NOTE.replace("4,280", "4,510"));
    expect(await look(source)).toMatchObject({ state: "changed", to: null });
    write("a.md", "# Roof\n");
    expect((await look(source)).state).toBe("gone");
    rmSync(at("a.md"));
    expect((await look(source)).state).toBe("gone");
  });

  it("was replaced, where it was and where it moved to", async () => {
    const { cite, look, write } = await home({ "a.md": NOTE });
    const source = await cite("a.md", "3-4");
    const newer = "# 2026-11-16\n\n## Roof\nNow 4,510.\nReplaces: [[a#Roof]] (4,280)\n";
    write("changelog.md", newer);
    const by = { path: "vault/changelog.md", lines: "1-5", date: "2026-11-16", value: "4,280" };
    expect(await look(source)).toMatchObject({ state: "replaced", to: null, by });
    write("a.md", `First.\n\n${NOTE}`);
    expect(await look(source)).toMatchObject({
      state: "replaced",
      to: { path: "vault/a.md", lines: "5-6" },
      by,
    });
    expect((await cite("a.md", "5-6")).sha256).toBe(source.sha256);
  });

  it("is not found in another file when its lines say too little", async () => {
    const { cite, look, write, at } = await home({ "a.md": "Yes.\n" });
    const source = await cite("a.md", "1-1");
    rmSync(at("a.md"));
    write("b.md", "Yes.\n");
    expect((await look(source)).state).toBe("gone");
  });

  it("is the same when only the program's keys differ from what is quoted", async () => {
    const { cite, look, write } = await home({ "a.md": `---\ntokens: 9\na: 1\n---\n\n${NOTE}` });
    const source = await cite("a.md", "1-7");
    write("a.md", `---\ntokens: 12\na: 1\n---\n\n${NOTE}`);
    expect((await look(source)).state).toBe("same");
    write("a.md", `---\ntokens: 12\na: 2\n---\n\n${NOTE}`);
    expect((await look(source)).state).toBe("changed");
  });

  it("is misquoted when an answer has other words below its hash", async () => {
    const { cite, look } = await home({ "a.md": NOTE });
    const source = await cite("a.md", "3-4");
    const text = "Hale does the roof for 3,000.\nHe starts on Monday.";
    expect(await look({ ...source, text })).toMatchObject({ state: "same", misquoted: true });
    expect(await look(source)).toMatchObject({ misquoted: false });
  });
});

describe("the sources of a text", () => {
  const hash = "a".repeat(64);
  it("are its evidence lines with the blocks below, or the blocks alone", () => {
    const block = "```vault/a.md (lines 9-10)\n9  | ```js\n10 |\n```";
    const cited = { path: "vault/a.md", lines: "9-10", text: "```js\n" };
    expect(
      sourcesInText(`So it is [1].\n\n[1] vault/a.md:9-10 · sha256:${hash}\n\n---\n\n${block}`),
    ).toEqual([{ ...cited, mark: 1, sha256: hash }]);
    expect(sourcesInText(block)).toEqual([cited]);
    expect(sourcesInText("```vault/b c.md\n1  | x\n```\n")).toEqual([
      { path: "vault/b c.md", lines: "1-1", text: "x" },
    ]);
  });

  it("are those of its JSON", () => {
    const source = { path: "vault/a.md", lines: "1-2", sha256: hash };
    expect(sourcesInText(JSON.stringify({ evidence: [source] }))).toEqual([source]);
    expect(sourcesInText(JSON.stringify([source]))).toEqual([source]);
    expect(() => sourcesInText("nothing")).toThrow("no source");
  });
});

it("tells what became of a source, after any edits", async () => {
  const word = fc.constantFrom("pompe", "cave", "vanne", "puits", "filtre");
  const paragraph = fc.array(word, { minLength: 1, maxLength: 5 });
  const edit = fc.oneof(
    fc.record({ kind: fc.constant("insert" as const), at: fc.nat(8), words: paragraph }),
    fc.record({ kind: fc.constant("remove" as const), at: fc.nat(8) }),
    fc.record({ kind: fc.constant("change" as const), at: fc.nat(8) }),
    fc.record({ kind: fc.constant("rename" as const) }),
    fc.record({ kind: fc.constant("delete" as const) }),
    fc.record({ kind: fc.constant("replace" as const) }),
    fc.record({ kind: fc.constant("crlf" as const) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(paragraph, { minLength: 3, maxLength: 8 }),
      fc.nat(7),
      fc.nat(2),
      fc.array(edit, { maxLength: 6 }),
      fc.boolean(),
      async (paragraphs, from, more, edits, hasText) => {
        // Every line is unlike any other, so that there is one right answer.
        let unique = 0;
        const lineOf = (words: readonly string[]): string =>
          `${words.join(" ")} à la ligne numéro ${(unique += 1)}`;
        let lines = ["# Titre", ...paragraphs.map(lineOf)];
        const { write, cite, look, at } = await home({ "a.md": `${lines.join("\n")}\n` });
        const start = 2 + (from % paragraphs.length);
        const end = Math.min(lines.length, start + more);
        const cited = lines.slice(start - 1, end);
        const source = await cite("a.md", `${start}-${end}`);
        let file: string | null = "a.md";
        let isReplaced = false;
        let ending = "\n";
        for (const each of edits) {
          if (each.kind === "replace") {
            isReplaced = true;
            const target = (file ?? "a.md").replace(".md", "");
            write(
              "changelog.md",
              `# 2026-11-16\n\n## Nouveau\nVrai.\nRemplace : [[/${target}#Titre]]\n`,
            );
          }
          if (file === null) continue;
          const place = "at" in each ? 1 + (each.at % Math.max(1, lines.length - 1)) : 0;
          if (each.kind === "insert") lines = lines.toSpliced(place, 0, lineOf(each.words));
          if (each.kind === "remove" && lines.length > 1) lines = lines.toSpliced(place, 1);
          if (each.kind === "change" && lines.length > 1)
            lines = lines.with(place, lineOf(["autre"]));
          if (each.kind === "crlf") ending = "\r\n";
          if (each.kind === "rename") {
            const next: string = file === "a.md" ? "sub/a.md" : "a.md";
            mkdirSync(path.dirname(at(next)), { recursive: true });
            renameSync(at(file), at(next));
            file = next;
            if (isReplaced) {
              // As a rewritten link would: it means the file at its new place.
              write(
                "changelog.md",
                `# 2026-11-16\n\n## Nouveau\nVrai.\nRemplace : [[/${next.replace(".md", "")}#Titre]]\n`,
              );
            }
          }
          if (each.kind === "delete") {
            rmSync(at(file));
            file = null;
          } else write(file, lines.map((line) => line + ending).join(""));
        }
        const found =
          file === null
            ? -1
            : lines.findIndex((_, index) =>
                cited.every((line, offset) => lines[index + offset] === line),
              );
        const isOwn = file === "a.md";
        const expected: VerifiedSource["state"] =
          found < 0
            ? isOwn && start <= lines.length
              ? "changed"
              : "gone"
            : isReplaced
              ? "replaced"
              : isOwn && found === start - 1
                ? "same"
                : "moved";
        const verified = await look(hasText ? source : { ...source, text: null });
        expect(verified.state).toBe(expected);
        const isElsewhere = found >= 0 && !(isOwn && found === start - 1);
        expect(verified.to).toEqual(
          isElsewhere
            ? { path: `vault/${file}`, lines: `${found + 1}-${found + cited.length}` }
            : null,
        );
        expect(verified.by?.path ?? null).toBe(
          expected === "replaced" ? "vault/changelog.md" : null,
        );
      },
    ),
    { numRuns: 150 },
  );
});
