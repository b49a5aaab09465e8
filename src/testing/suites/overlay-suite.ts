import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

import { landOverlay } from "../../vault/overlay/land-overlay.ts";
import type { OverlayVault } from "../../vault/overlay/overlay-vault.ts";
import type { Overlays } from "../../vault/overlay/overlays.ts";
import { proposedFiles } from "../../vault/overlay/proposed-files.ts";
import type { Vault, VaultReader } from "../../vault/vault.ts";
import { codeOf, refusalOf } from "../expected-error.ts";
import type { Files } from "../temporary-vault.ts";
import { create, move, remove, splice, update } from "./changes.ts";
import { describeVault } from "./vault-suite.ts";

const AUTHOR = { actor: "test", call: "remember", batch: "yes" };

/** A vault with its overlays. */
export interface OverlayHome {
  readonly base: Vault;
  readonly overlays: Overlays;
}

export interface OverlaySuite {
  /** A new vault with these files. */
  readonly make: (files: Files) => Promise<OverlayHome>;
  /** Random sequences of changes that are tried. */
  readonly runs: number;
}

async function textsOf(vault: VaultReader): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { path } of vault.walk(""))
    texts[path] = (await vault.readBytes(path, 10_000_000)).bytes.toString("base64");
  return texts;
}

async function refusedWith(work: () => Promise<unknown>): Promise<string> {
  return (await refusalOf(work))?.message ?? "";
}

const NOTES: Files = {
  "a.md": "one\n",
  "d/b.md": "two\n",
  "d/e/c.md": "three\n",
  "long.md": "line of a long file\n".repeat(60_000),
};

/** What trying changes before they are made must do, wherever they are kept. */
export function describeOverlays({ make, runs }: OverlaySuite): void {
  async function created(overlays: Overlays, name = "tried"): Promise<OverlayVault> {
    const overlay = await overlays.create(name);
    onTestFinished(() => overlay.close());
    return overlay;
  }

  describe("an overlay is a vault", () => {
    describeVault(async (files) => created((await make(files)).overlays));
  });

  describe("an overlay", () => {
    it("shows what was changed in it, and changes nothing below", async () => {
      const { base, overlays } = await make(NOTES);
      const before = await textsOf(base);
      const overlay = await created(overlays);
      await update(overlay, "a.md", "other\n");
      await move(overlay, "d", "f/g");
      await remove(overlay, "f/g/e");
      await create(overlay, "d/new.md", "new\n");
      expect(Object.keys(await textsOf(overlay))).toEqual([
        "d/new.md",
        "f/g/b.md",
        "a.md",
        "long.md",
      ]);
      expect(await overlay.shape("")).toMatchObject({ files: 4 });
      expect(await overlay.shape("f")).toMatchObject({ files: 1, tokens: 1 });
      expect(await codeOf(() => overlay.openText("d/b.md"))).toBe("not_found");
      expect(await textsOf(base)).toEqual(before);
    });

    it("is as it was when it is opened again", async () => {
      const { base, overlays } = await make(NOTES);
      const first = await overlays.create("tried");
      await move(first, "d", "f");
      await update(first, "f/b.md", "other\n");
      const texts = await textsOf(first);
      first.close();
      const again = await overlays.open("tried");
      onTestFinished(() => again.close());
      expect(await textsOf(again)).toEqual(texts);
      await landOverlay(again, base, AUTHOR);
      expect(await textsOf(base)).toEqual(texts);
    });

    it("tells what would become of each file", async () => {
      const { overlays } = await make(NOTES);
      const overlay = await created(overlays);
      await move(overlay, "d", "f");
      await update(overlay, "f/b.md", "other\n");
      await update(overlay, "f/b.md", "another\n");
      await remove(overlay, "a.md");
      await create(overlay, "new.md", "new\n");
      await create(overlay, "passing.md", "x");
      await remove(overlay, "passing.md");
      const files = await proposedFiles(overlay);
      expect(
        files.map(({ path, from, before, after }) => [
          path,
          from,
          before?.toString(),
          after?.toString(),
        ]),
      ).toEqual([
        ["a.md", null, "one\n", undefined],
        ["f/b.md", "d/b.md", "two\n", "another\n"],
        ["f/e/c.md", "d/e/c.md", "three\n", "three\n"],
        ["new.md", null, undefined, "new\n"],
      ]);
    });
  });

  it("overlays are told apart by their names, and removed with what was tried in them", async () => {
    const { base, overlays } = await make(NOTES);
    const [one, other] = [await created(overlays, "one"), await created(overlays, "other")];
    await update(one, "a.md", "of one\n");
    await update(other, "a.md", "of the other\n");
    expect((await one.readBytes("a.md", 100)).bytes.toString()).toBe("of one\n");
    expect([await overlays.has("one"), await overlays.has("third")]).toEqual([true, false]);
    await overlays.remove("one");
    expect(await codeOf(async () => overlays.open("one"))).toBe("not_found");
    const again = await created(overlays, "other");
    expect(await textsOf(again)).toEqual(await textsOf(base));
  });

  describe("making what was tried", () => {
    it("is one entry of the history, and one undo", async () => {
      const { base, overlays } = await make(NOTES);
      const before = await textsOf(base);
      const overlay = await created(overlays);
      await update(overlay, "a.md", "other\n");
      await splice(overlay, "long.md", { at: 20, removed: 20, inserted: "two\n", headBytes: 0 });
      await create(overlay, "large.bin", Buffer.alloc(2_000_000, 1));
      await move(overlay, "d/e", "e");
      const id = await landOverlay(overlay, base, AUTHOR);
      expect(await textsOf(base)).toEqual(await textsOf(overlay));
      expect((await base.entries("yes")).map((entry) => entry.id)).toEqual([id]);
      await base.undo("yes", { actor: "test", force: false });
      expect(await textsOf(base)).toEqual(before);
    });

    it("is refused as a whole when a file changed meanwhile, which is named", async () => {
      const { base, overlays } = await make(NOTES);
      const overlay = await created(overlays);
      await create(overlay, "new.md", "new\n");
      await update(overlay, "a.md", "other\n");
      await update(base, "a.md", "somebody else's\n");
      const before = await textsOf(base);
      expect(await refusedWith(() => landOverlay(overlay, base, AUTHOR))).toContain("vault/a.md");
      expect(await textsOf(base)).toEqual(before);
    });

    it("is refused when a file came into a folder that would go, or under the name of a new one", async () => {
      const { base, overlays } = await make(NOTES);
      const taking = await created(overlays, "taking");
      await remove(taking, "d");
      const adding = await created(overlays, "adding");
      await update(adding, "a.md", "other\n");
      await create(adding, "d/late.md", "mine\n");
      await create(base, "d/late.md", "theirs\n");
      const before = await textsOf(base);
      expect(await refusedWith(() => landOverlay(taking, base, AUTHOR))).toContain(
        "vault/d/late.md",
      );
      expect(await codeOf(() => landOverlay(adding, base, AUTHOR))).toBe("already_exists");
      expect(await textsOf(base)).toEqual(before);
    });

    it("leaves what the background job wrote in the meantime", async () => {
      const { base, overlays } = await make({ "a.md": "one\n", "long.md": NOTES["long.md"] ?? "" });
      const overlay = await created(overlays);
      await update(overlay, "a.md", "one\ntwo\n");
      await splice(overlay, "long.md", { at: 20, removed: 0, inserted: "two\n", headBytes: 0 });
      const times = { created: "2026-01-01T00:00:00", updated: "2026-01-01T00:00:00" };
      for (const path of ["a.md", "long.md"]) await base.stamp(path, () => times);
      await landOverlay(overlay, base, AUTHOR);
      const long = (await base.openText("long.md")).range(7, 9).lines;
      expect(long).toEqual(["line of a long file", "two", "line of a long file"]);
      expect((await base.readBytes("a.md", 1000)).bytes.toString()).toContain("one\ntwo\n");
    });

    const NAMES = ["a.md", "d/b.md", "d/e/c.md", "d", "d/e", "f", "f/g.md", "h/i.md"];
    const name = fc.constantFrom(...NAMES);
    const deed = fc.oneof(
      fc.record({ kind: fc.constant("create"), at: name, text: fc.string(), to: name }),
      fc.record({ kind: fc.constant("update"), at: name, text: fc.string(), to: name }),
      fc.record({ kind: fc.constant("move"), at: name, text: fc.string(), to: name }),
      fc.record({ kind: fc.constant("remove"), at: name, text: fc.string(), to: name }),
    );

    async function outcomeOf(
      vault: Vault,
      { kind, at, text, to }: { kind: string; at: string; text: string; to: string },
    ): Promise<string | null> {
      const work = async (): Promise<unknown> => {
        if (kind === "create") return create(vault, at, text);
        if (kind === "update") return update(vault, at, text);
        return kind === "move" ? move(vault, at, to) : remove(vault, at);
      };
      return codeOf(work);
    }

    it("refuses to move a folder below a file that is in it by now", async () => {
      const { overlays } = await make(NOTES);
      const overlay = await created(overlays);
      await move(overlay, "d/e", "h");
      await move(overlay, "a.md", "d/e");
      expect(await codeOf(() => move(overlay, "d", "d/e/c.md"))).toBe("invalid_argument");
    });

    it("gives what the same changes give without an overlay, and refuses the same", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { maxLength: 12 }), async (deeds) => {
          const files = { "a.md": "one\n", "d/b.md": "two\n", "d/e/c.md": "three\n" };
          const { base: direct } = await make(files);
          const { base, overlays } = await make(files);
          const before = await textsOf(base);
          const overlay = await overlays.create("tried");
          try {
            for (const each of deeds)
              expect(await outcomeOf(overlay, each)).toBe(await outcomeOf(direct, each));
            expect(await textsOf(overlay)).toEqual(await textsOf(direct));
            expect(await textsOf(base)).toEqual(before);
            await landOverlay(overlay, base, AUTHOR);
            expect(await textsOf(base)).toEqual(await textsOf(direct));
          } finally {
            overlay.close();
          }
        }),
        { numRuns: runs },
      );
    });
  });
}
