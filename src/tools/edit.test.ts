import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import {
  callerOf,
  type Files,
  refusedWith,
  temporaryVault,
  textOf,
} from "../testing/temporary-vault.ts";
import type { CallResult } from "./call-result.ts";
import type { LocalVault } from "../vault/vault.ts";

const NOTE =
  "# Jardin\n\nsemer les pois\ntailler le poirier\nsemer les fèves\ntailler le poirier\n";

function setup(files: Files = { "note.md": NOTE }) {
  const vault = temporaryVault(files);
  const caller = callerOf(vault);
  const edit = async (
    old_content: string,
    new_content: string,
    file = "note.md",
  ): Promise<CallResult> => caller.update("edit", { path: file, old_content, new_content });
  return {
    vault,
    caller,
    edit,
    read: async (file = "note.md") => caller.update("read", { paths: file }),
  };
}

function bytes(vault: LocalVault, file = "note.md"): string {
  return readFileSync(path.join(vault.root, file), "utf8");
}

describe("edit: what was read", () => {
  it("refuses a file that was not read", async () => {
    const { vault, edit } = setup();
    const result = await edit("semer les pois", "x");
    expect(result.structured).toMatchObject({ error: { code: "conflict" } });
    expect(textOf(result)).toContain('read("vault/note.md")');
    expect(bytes(vault)).toBe(NOTE);
  });

  it("search, concat and write do not count as reading", async () => {
    const { caller, edit } = setup();
    await caller.search("search", { queries: ["pois"] });
    await caller.search("concat", { files: [{ path: "note.md" }] });
    expect(refusedWith(await edit("semer les pois", "x"))).toBe("conflict");
    await caller.update("write", { path: "neuf.md", content: "texte\n" });
    expect(refusedWith(await edit("texte", "x", "neuf.md"))).toBe("conflict");
  });

  it("a part of the file is enough", async () => {
    const { vault, caller, edit } = setup();
    await caller.update("read", { paths: "note.md", head: 3 });
    expect((await edit("semer les fèves", "semer l'ail")).isError).toBe(false);
    expect(bytes(vault)).toContain("semer l'ail");
  });

  it("refuses a file changed since by another hand", async () => {
    const { vault, edit, read } = setup();
    await read();
    writeFileSync(path.join(vault.root, "note.md"), NOTE.replace("Jardin", "Verger"));
    expect(textOf(await edit("semer les pois", "x"))).toContain("read it again");
  });

  it("the background job's keys are not a change", async () => {
    const { vault, edit, read } = setup({ "note.md": `---\ntokens: 1\n---\n\n${NOTE}` });
    await read();
    writeFileSync(
      path.join(vault.root, "note.md"),
      `---\ntokens: 22\nupdated: 2026-03-09T17:40:00\n---\n\n${NOTE}`,
    );
    expect((await edit("semer les pois", "x")).isError).toBe(false);
    expect(bytes(vault)).toContain("tokens: 22");
  });

  it("the caller's own changes are not a change by another hand", async () => {
    const { caller, edit, read } = setup();
    await read();
    await edit("semer les pois", "semer le maïs");
    await caller.update("append", { path: "note.md", content: "fin", position: "bottom" });
    expect((await edit("fin", "la fin")).isError).toBe(false);
    await caller.update("move", { from: "note.md", to: "autre.md" });
    expect((await edit("la fin", "fini", "autre.md")).isError).toBe(false);
  });

  it("an append does not hide another hand's change", async () => {
    const { vault, caller, edit, read } = setup();
    await read();
    writeFileSync(path.join(vault.root, "note.md"), `${NOTE}ajout d'un autre\n`);
    await caller.update("append", { path: "note.md", content: "fin", position: "bottom" });
    expect(refusedWith(await edit("semer les pois", "x"))).toBe("conflict");
  });
});

describe("edit: finding the place", () => {
  it("replaces a unique passage and shows the region with two lines around", async () => {
    const { vault, edit, read } = setup();
    await read();
    const result = await edit("semer les pois", "semer les pois\net les couvrir");
    expect(bytes(vault)).toBe(NOTE.replace("semer les pois", "semer les pois\net les couvrir"));
    expect(textOf(result)).toMatch(
      /^Edited vault\/note\.md: 6 → 7 lines\. History: \w+\.\n\n```vault\/note\.md \(lines 1-6 of 7\)\n1 {2}\| # Jardin\n2 {2}\|\n3 {2}\| semer les pois\n4 {2}\| et les couvrir\n5 {2}\| tailler le poirier\n6 {2}\| semer les fèves\n```$/u,
    );
  });

  it("refuses a passage that appears twice and lists its lines", async () => {
    const { vault, edit, read } = setup();
    await read();
    const result = await edit("tailler le poirier", "x");
    expect(result.structured).toMatchObject({ error: { code: "ambiguous" } });
    expect(textOf(result)).toContain("2 times in vault/note.md, at lines 4, 6");
    expect(bytes(vault)).toBe(NOTE);
  });

  it("numbers pin the place among several", async () => {
    const { vault, edit, read } = setup();
    await read();
    await edit("6  | tailler le poirier", "6  | tailler le pommier");
    expect(bytes(vault)).toBe(
      "# Jardin\n\nsemer les pois\ntailler le poirier\nsemer les fèves\ntailler le pommier\n",
    );
  });

  it("numbered text that moved is found when it is unique, and refused when it is not", async () => {
    const { vault, edit, read } = setup();
    await read();
    expect((await edit("2  | semer les pois", "2  | semer le maïs")).isError).toBe(false);
    expect(bytes(vault)).toContain("semer le maïs");
    expect(textOf(await edit("2  | tailler le poirier", "x"))).toContain("at lines 4, 6");
  });

  it("numbered text with one line wrong is refused, and the error shows what differs", async () => {
    const { vault, edit, read } = setup();
    await read();
    const result = await edit(
      "3  | semer les pois\n4  | tailler le pêcher\n5  | semer les fèves",
      "x",
    );
    expect(result.structured).toMatchObject({ error: { code: "no_match" } });
    expect(textOf(result)).toContain(
      'Line 4 differs: you gave "tailler le pêcher", the file has "tailler le poirier"',
    );
    expect(textOf(result)).toContain("4  | tailler le poirier");
    expect(bytes(vault)).toBe(NOTE);
  });

  it("some lines numbered and others not is an error that shows the odd one", async () => {
    const { edit, read } = setup();
    await read();
    expect(textOf(await edit("3  | semer les pois\ntailler le poirier", "x"))).toContain(
      'Line 2 of old_content does not fit: it has no line number while others do: "tailler le poirier"',
    );
    expect(textOf(await edit("3  | semer les pois\n5  | semer les fèves", "x"))).toContain(
      "line number 4 was expected",
    );
    expect(textOf(await edit("3  | semer les pois", "3  | a\nb"))).toContain(
      "Line 2 of new_content does not fit",
    );
  });

  it("new_content is stripped only when old_content was", async () => {
    const { vault, edit, read } = setup();
    await read();
    await edit("semer les pois", "3  | littéral");
    expect(bytes(vault)).toContain("\n3  | littéral\n");
  });

  it("a file that itself holds numbered lines is edited as it is", async () => {
    const { vault, edit, read } = setup({ "note.md": "table\n1 | a\n2 | b\n" });
    await read();
    expect((await edit("1 | a\n2 | b", "1 | z")).isError).toBe(false);
    expect(bytes(vault)).toBe("table\n1 | z\n");
  });

  it("text that is not there gives the nearest lines and the difference", async () => {
    const { edit, read } = setup();
    await read();
    const text = textOf(await edit("semer les petits pois", "x"));
    expect(text).toContain("old_content is not in vault/note.md");
    expect(text).toContain("3  | semer les pois");
    expect(text).toContain('the file has "semer les pois"');
  });

  it("says so when only spaces or the encoding of accents differ", async () => {
    const { edit, read } = setup();
    await read();
    expect(textOf(await edit("semer les fèves ", "x"))).toContain("differs only in spaces");
    expect(textOf(await edit("semer les fèves".normalize("NFD"), "x"))).toContain(
      "how its accents are encoded",
    );
  });

  it("new_content empty removes; numbered lines go with their line ending", async () => {
    const { vault, edit, read } = setup();
    await read();
    await edit("semer les pois\n", "");
    expect(bytes(vault)).toBe(
      "# Jardin\n\ntailler le poirier\nsemer les fèves\ntailler le poirier\n",
    );
    await edit("4  | semer les fèves\n5  | tailler le poirier", "");
    expect(bytes(vault)).toBe("# Jardin\n\ntailler le poirier\n");
  });

  it("old_content empty is an error; equal contents succeed and write nothing", async () => {
    const { vault, edit, read } = setup();
    await read();
    expect(refusedWith(await edit("", "x"))).toBe("invalid_argument");
    const result = await edit("semer les pois", "semer les pois");
    expect(result.isError).toBe(false);
    expect(result.structured).toMatchObject({ history: null });
    expect(await vault.log({ path: null, limit: 5 })).toEqual([]);
  });
});

describe("edit: bytes it does not own", () => {
  it("keeps CRLF, byte-order mark, a missing final newline and the mode", async () => {
    const { vault, edit, read } = setup({ "note.md": "\ufeffun\r\ndeux\r\ntrois" });
    chmodSync(path.join(vault.root, "note.md"), 0o640);
    await read();
    await edit("2  | deux", "2  | deux\n3  | et demi");
    expect(bytes(vault)).toBe("\ufeffun\r\ndeux\r\net demi\r\ntrois");
    await edit("trois", "fin");
    expect(bytes(vault)).toBe("\ufeffun\r\ndeux\r\net demi\r\nfin");
    expect(statSync(path.join(vault.root, "note.md")).mode & 0o777).toBe(0o640);
  });

  it("keeps mixed line endings outside the place", async () => {
    const { vault, edit, read } = setup({ "note.md": "a\r\nb\nc\r\nd\n" });
    await read();
    await edit("b\nc", "x\ny");
    expect(bytes(vault)).toBe("a\r\nx\ny\r\nd\n");
  });

  it("refuses tree.md, a folder, a missing file and a folder path", async () => {
    const { caller, edit } = setup({ "tree.md": "```\nvault/   [0 · —]\n```\n", "d/a.md": "a\n" });
    await caller.update("read", { paths: "tree.md" });
    expect((await edit("x", "y", "tree.md")).structured).toMatchObject({
      error: { code: "protected" },
    });
    expect((await edit("x", "y", "d")).structured).toMatchObject({ error: { code: "not_a_file" } });
    expect((await edit("x", "y", "d/")).structured).toMatchObject({
      error: { code: "not_a_file" },
    });
    expect((await edit("x", "y", "d/b.md")).structured).toMatchObject({
      error: { code: "not_found" },
    });
  });
});

it("an edit in a 3 MB file keeps only what differs in the history, and is undone exactly", async () => {
  const big = `---\ntokens: 1\n---\n\n${Array.from({ length: 60_000 }, (_, at) => `ligne ${at} du grand journal des travaux\n`).join("")}`;
  const { vault, edit, caller } = setup({ "note.md": big });
  await caller.update("read", { paths: "note.md", head: 20 });
  const result = await edit("ligne 31415 du grand journal", "LIGNE 31415 du journal");
  expect(result.isError).toBe(false);
  expect(bytes(vault)).toBe(big.replace("ligne 31415 du grand journal", "LIGNE 31415 du journal"));
  expect((await vault.historySize()).bytes).toBeLessThan(1000);
  const [entry] = await vault.log({ path: "note.md", limit: 1 });
  await vault.undo(entry?.id ?? "", { actor: "test", force: false });
  expect(bytes(vault)).toBe(big);
});
