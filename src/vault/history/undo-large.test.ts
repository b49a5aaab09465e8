import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { create, remove, splice, undo, update } from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { callerOf, temporaryVault } from "../../testing/temporary-vault.ts";
import { stampFrontmatter } from "../files/frontmatter.ts";
import type { LocalVault } from "../vault.ts";
import { headLength } from "../files/version.ts";

const HEAD = "---\ntitre: Journal de bord\ncreated: 2020-01-01T00:00:00\ntokens: 1\n---\n\n";
const entry = (day: number): string =>
  `## Jour ${day}\n\nVent d'ouest, mer belle, café à 6 h. ⛵ Rien à signaler au quart de nuit.\n\n`;
const BODY = Array.from({ length: 30_000 }, (_, day) => entry(day)).join("");
const LARGE = HEAD + BODY;

const file = (vault: LocalVault, name: string): string => path.join(vault.root, name);
const read = (vault: LocalVault, name: string): string => readFileSync(file(vault, name), "utf8");

/** As the background job does it, by its own write. */
function stamp(
  vault: LocalVault,
  name: string,
  times: { created?: string; updated?: string },
): void {
  const stamped = stampFrontmatter(read(vault, name), times);
  if (stamped.kind === "left") throw new Error(stamped.problem);
  writeFileSync(file(vault, name), stamped.text);
}

/** The text after the frontmatter, which is the person's. */
function bodyOf(vault: LocalVault, name: string): string {
  const bytes = readFileSync(file(vault, name));
  return bytes.subarray(headLength(bytes)).toString("utf8").replace(/^\n+/u, "");
}

const middle = LARGE.indexOf("## Jour 15000");
const edits: [string, (text: string) => string][] = [
  ["a passage replaced", (text) => text.replace("## Jour 15000\n", "## Jour de fête\n")],
  ["one accent changed", (text) => text.replace("## Jour 15000\n\nVent", "## Jour 15000\n\nVént")],
  ["a passage added", (text) => text.slice(0, middle) + entry(-1) + text.slice(middle)],
  ["a passage removed", (text) => text.slice(0, middle) + text.slice(middle + 5000)],
  ["text added at the end", (text) => `${text}## Jour dernier\n`],
  ["text added at the top", (text) => text.replace(HEAD, `${HEAD}# Neuf\n\n`)],
  ["the same text twice as often", (text) => text.replace(entry(15_000), entry(15_000).repeat(2))],
  ["everything after the frontmatter removed", () => HEAD],
  ["a key of the person's changed", (text) => text.replace("titre: Journal", "titre: Carnet")],
];

describe.each(edits)("a large file with %s", (_, edit) => {
  it("is given back byte for byte, and the edit again", async () => {
    const vault = temporaryVault({ "a.md": LARGE });
    const after = edit(LARGE);
    const id = await update(vault, "a.md", after);
    const undone = await undo(vault, id);
    expect(read(vault, "a.md") === LARGE).toBe(true);
    await undo(vault, undone);
    expect(read(vault, "a.md") === after).toBe(true);
  });

  it("is given back after the job rewrote its lines in the frontmatter", async () => {
    const vault = temporaryVault({ "a.md": LARGE });
    const id = await update(vault, "a.md", edit(LARGE));
    stamp(vault, "a.md", { updated: "2026-05-06T07:08:09" });
    const undone = await undo(vault, id);
    expect(bodyOf(vault, "a.md") === BODY).toBe(true);
    stamp(vault, "a.md", { updated: "2026-05-06T07:08:10" });
    await undo(vault, undone);
    const edited = edit(LARGE);
    const body = edited.slice(edited.indexOf("\n---\n") + 5).replace(/^\n+/u, "");
    expect(bodyOf(vault, "a.md") === body).toBe(true);
  });
});

describe("a large file without frontmatter", () => {
  it("is given back after the job gave it its first frontmatter", async () => {
    const vault = temporaryVault({ "a.md": BODY });
    const id = await update(vault, "a.md", `${BODY}## Ajout\n`);
    stamp(vault, "a.md", { created: "2026-05-06T07:08:09", updated: "2026-05-06T07:08:09" });
    await undo(vault, id);
    expect(bodyOf(vault, "a.md") === BODY).toBe(true);
  });

  it("is given back when the edit itself gave it its first frontmatter", async () => {
    const vault = temporaryVault({ "a.md": BODY });
    const id = await update(vault, "a.md", HEAD + BODY);
    const undone = await undo(vault, id);
    expect(read(vault, "a.md") === BODY).toBe(true);
    await undo(vault, undone);
    expect(read(vault, "a.md") === HEAD + BODY).toBe(true);
  });

  it("is given back when the edit closed a block that was open", async () => {
    const open = `---\ntitre: jamais fermé\n\n${BODY}`;
    const closed = open.replace("fermé\n", "fermé\n---\n");
    const vault = temporaryVault({ "a.md": open });
    await undo(vault, await update(vault, "a.md", closed));
    expect(read(vault, "a.md") === open).toBe(true);
  });
});

describe("what is kept of a large file", () => {
  it("is a small part of it for a small edit, all of it for a removal", async () => {
    const vault = temporaryVault({ "a.md": LARGE });
    await update(vault, "a.md", `${LARGE}une ligne\n`);
    expect((await vault.historySize()).bytes).toBeLessThan(10_000);
  });

  it("gives back a large creation", async () => {
    const vault = temporaryVault();
    const id = await create(vault, "x/grand.md", LARGE);
    expect((await vault.historySize()).bytes).toBeLessThan(10_000);
    const undone = await undo(vault, id);
    expect((await vault.find("x")).kind).toBe("missing");
    await undo(vault, undone);
    expect(read(vault, "x/grand.md") === LARGE).toBe(true);
  });

  it("is enough after the file crossed the limit between small and large, both ways", async () => {
    const vault = temporaryVault({ "a.md": "petit\n" });
    const ids = [
      await update(vault, "a.md", LARGE),
      await update(vault, "a.md", `${LARGE}fin\n`),
      await update(vault, "a.md", "petit encore\n"),
    ];
    for (const id of ids.toReversed()) await undo(vault, id);
    expect(read(vault, "a.md")).toBe("petit\n");
  });
});

describe("a large file changed by another hand since", () => {
  it("is left alone when the part is no longer what it was", async () => {
    const vault = temporaryVault({ "a.md": LARGE });
    const id = await update(vault, "a.md", LARGE.replace("## Jour 15000\n", "## Jour de fête\n"));
    const mine = LARGE.replace("## Jour 15000\n", "## Jour de paix\n");
    writeFileSync(file(vault, "a.md"), mine);
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    expect(read(vault, "a.md") === mine).toBe(true);
  });

  it("is left alone when its size changed elsewhere", async () => {
    const vault = temporaryVault({ "a.md": LARGE });
    const id = await update(vault, "a.md", LARGE.replace("## Jour 15000\n", "## Jour de fête\n"));
    writeFileSync(file(vault, "a.md"), `${read(vault, "a.md")}à la main\n`);
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
  });

  it("stays text when the undo of a removed passage is forced, and what was there comes back", async () => {
    const accents = "é".repeat(700_000);
    const vault = temporaryVault({ "a.md": `a${accents}\nfin\n` });
    const id = await update(
      vault,
      "a.md",
      `a${accents.slice(0, 1000)}${accents.slice(1100)}\nfin\n`,
    );
    const mine = `${accents}\nfin\n`;
    writeFileSync(file(vault, "a.md"), mine);
    let forced: string | null = null;
    const code = await codeOf(async () => {
      forced = await undo(vault, id, { force: true });
    });
    expect(["done", "conflict"]).toContain(code);
    expect(await codeOf(async () => vault.openText("a.md"))).toBe("done");
    if (forced !== null) await undo(vault, forced);
    expect(read(vault, "a.md") === mine).toBe(true);
  });
});

describe("splicing a large file", () => {
  it("is undone in the reverse order of several splices in one batch", async () => {
    const vault = temporaryVault({ "a.md": LARGE });
    for (const [index, offset] of [0, 100_000, 1_000_000, 5].entries()) {
      const headBytes = headLength(readFileSync(file(vault, "a.md")));
      const inserted = `<${index}>`.repeat(index);
      await splice(
        vault,
        "a.md",
        { at: headBytes + offset, removed: 3, inserted, headBytes },
        "run",
      );
      stamp(vault, "a.md", { updated: `2026-05-06T07:08:0${index}` });
    }
    await undo(vault, "run");
    expect(bodyOf(vault, "a.md") === BODY).toBe(true);
  });

  it("keeps every other byte: a mark, CRLF, no final newline", async () => {
    const text = `\ufeff${LARGE.replaceAll("\n", "\r\n")}fin`;
    const vault = temporaryVault({ "a.md": text });
    const headBytes = headLength(Buffer.from(text));
    const id = await splice(vault, "a.md", {
      at: headBytes,
      removed: 0,
      inserted: "x\r\n",
      headBytes,
    });
    const bytes = Buffer.from(text);
    const expected = [
      bytes.subarray(0, headBytes),
      Buffer.from("x\r\n"),
      bytes.subarray(headBytes),
    ];
    expect(readFileSync(file(vault, "a.md")).equals(Buffer.concat(expected))).toBe(true);
    await undo(vault, id);
    expect(read(vault, "a.md") === text).toBe(true);
  });
});

describe("adding to a large file", () => {
  it.each(["top", "bottom"])(
    "at the %s is undone, before or after the job's work",
    async (position) => {
      const vault = temporaryVault({ "a.md": LARGE });
      const caller = callerOf(vault);
      for (const stamped of [false, true]) {
        await caller.update("append", { path: "a.md", content: "## Ajout\n\nun mot", position });
        const id = (await vault.log({ path: null, limit: 1 }))[0]?.id ?? "";
        if (stamped) stamp(vault, "a.md", { updated: "2026-05-06T07:08:09" });
        await undo(vault, id);
        expect(bodyOf(vault, "a.md") === BODY).toBe(true);
      }
    },
  );
});

it("a large file that was put back and then stamped by the job is no other: the undo can be undone", async () => {
  const vault = temporaryVault({ "d/grand.md": "une ligne\n".repeat(150_000) });
  const putBack = await undo(vault, await remove(vault, "d"));
  await vault.stamp("d/grand.md", () => ({ updated: "2026-01-01T00:00:00" }));
  await undo(vault, putBack);
  expect((await vault.find("d")).kind).toBe("missing");
});
