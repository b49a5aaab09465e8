import { chmodSync, mkdirSync, realpathSync, symlinkSync } from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";

import {
  create,
  logOf,
  makeFolder,
  move,
  remove,
  undo,
  update,
} from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryFolder, writeFiles } from "../../testing/temporary-vault.ts";
import { Disk } from "../disk.ts";
import { Totals, type TreeNode } from "../tree/totals.ts";
import { createVault, type LocalVault } from "../vault.ts";

const paths = ["a.md", "b.md", "d", "d/a.md", "d/b.md", "d/e", "d/e/c.md", "f/g/h.md", "f", "lien"];
const anyPathOf = fc.constantFrom(...paths);
const content = fc.oneof(
  fc.constantFrom("", "un\n", "deux\r\ntrois\r\n", "---\ntitre: x\n---\n\ntexte\n", "\ufeffmarque"),
  fc.string({ unit: "grapheme", maxLength: 30 }),
);

type Step =
  | { readonly kind: "create" | "update"; readonly path: string; readonly content: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "remove" | "folder"; readonly path: string };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), path: anyPathOf, content }),
  fc.record({ kind: fc.constant("update" as const), path: anyPathOf, content }),
  fc.record({ kind: fc.constant("move" as const), path: anyPathOf, to: anyPathOf }),
  fc.record({ kind: fc.constant("remove" as const), path: anyPathOf }),
);

async function take(vault: LocalVault, step: Step, batch: string | null): Promise<unknown> {
  switch (step.kind) {
    case "create":
      return create(vault, step.path, step.content, batch);
    case "update":
      return update(vault, step.path, step.content, batch);
    case "move":
      return move(vault, step.path, step.to, batch);
    case "remove":
      return remove(vault, step.path, batch);
    case "folder":
      return makeFolder(vault, step.path);
    default:
      return step satisfies never;
  }
}

/** A new vault in its own folder under `above`, with a file, a folder with odd modes, and a link. */
function smallVault(above: string, name: string): LocalVault {
  const root = path.join(above, name, "notes");
  writeFiles(root, { "a.md": "début\n", "d/a.md": "dedans\n", "d/.caché": "caché" });
  mkdirSync(path.join(root, "vide"));
  chmodSync(path.join(root, "d"), 0o750);
  chmodSync(path.join(root, "a.md"), 0o600);
  // Absolute, so that it leads to the same file wherever it is moved.
  symlinkSync(path.join(realpathSync(root), "d/a.md"), path.join(root, "lien"));
  return createVault({ root, state: path.join(above, name, "state") });
}

it("gives back the first vault when any changes are undone one by one, newest first", async () => {
  const above = temporaryFolder();
  let round = 0;
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), async (steps) => {
      const vault = smallVault(above, String((round += 1)));
      try {
        const first = snapshotOf(vault.root);
        for (const step of steps) await codeOf(async () => take(vault, step, null));
        const entries = await vault.log({ path: null, limit: 100 });
        changes += entries.length;
        for (const { id } of entries) await undo(vault, id);
        expect(snapshotOf(vault.root)).toEqual(first);
        expect(leftovers(vault.root)).toEqual([]);
      } finally {
        vault.close();
      }
    }),
    { numRuns: 60 },
  );
  expect(changes).toBeGreaterThan(40);
}, 60_000);

it("gives back the first vault when a batch of any changes is undone, and the last when that is", async () => {
  const above = temporaryFolder();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), async (steps) => {
      const vault = smallVault(above, String((round += 1)));
      try {
        const first = snapshotOf(vault.root);
        for (const step of steps) await codeOf(async () => take(vault, step, "run"));
        if ((await logOf(vault)).length === 0) return;
        const last = snapshotOf(vault.root);
        const undone = await undo(vault, "run");
        expect(snapshotOf(vault.root)).toEqual(first);
        await undo(vault, undone);
        expect(snapshotOf(vault.root)).toEqual(last);
      } finally {
        vault.close();
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

it("leaves vault and log as they were when a change is refused", async () => {
  const above = temporaryFolder();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 10 }), async (steps) => {
      const vault = smallVault(above, String((round += 1)));
      try {
        for (const step of steps) {
          const [tree, log] = [snapshotOf(vault.root), await logOf(vault)];
          if ((await codeOf(async () => take(vault, step, null))) === "done") continue;
          expect(snapshotOf(vault.root)).toEqual(tree);
          expect(await logOf(vault)).toEqual(log);
        }
      } finally {
        vault.close();
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** A tree of totals as plain values. */
function plain(node: TreeNode): unknown {
  if (node.kind === "file") return node;
  const { kind, name, path: at, tokens, changed, files } = node;
  return { kind, name, path: at, tokens, changed, files, children: node.children().map(plain) };
}

it("keeps totals that equal a fresh scan after any changes and their undoing", async () => {
  const above = temporaryFolder();
  let round = 0;
  const anyOf = fc.oneof(
    { weight: 8, arbitrary: anyStep },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("folder" as const), path: anyPathOf }) },
    { weight: 2, arbitrary: fc.constant("undo" as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyOf, { minLength: 1, maxLength: 10 }), async (steps) => {
      const vault = smallVault(above, String((round += 1)));
      try {
        vault.totals.scan();
        for (const step of steps) {
          const last = (await vault.log({ path: null, limit: 1 }))[0]?.id ?? "none";
          await codeOf(async () =>
            step === "undo"
              ? vault.undo(last, { actor: "t", force: false })
              : take(vault, step, null),
          );
          const fresh = new Totals(new Disk(vault.root)).scan();
          expect(plain(vault.totals.get("") ?? fresh)).toEqual(plain(fresh));
        }
      } finally {
        vault.close();
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

it("is not stopped by a listener that fails: what landed has landed", async () => {
  const vault = smallVault(temporaryFolder(), "v");
  onTestFinished(() => vault.close());
  vault.onChange(() => {
    throw new Error("a listener's own mistake");
  });
  await vault
    .change({ actor: "t", call: "t", batch: null }, async ({ writer }) => {
      await writer.create("x/y.md", Buffer.from("y"));
    })
    .catch(() => null);
  expect((await vault.find("x/y.md")).kind).toBe("file");
  expect(await logOf(vault)).toHaveLength(1);
});
