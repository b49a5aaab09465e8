import fc from "fast-check";
import { expect, it } from "vitest";

import { isUnder, nameOf, parentOf, type VaultPath } from "../../vault/paths.ts";
import type { TreeNode } from "../../vault/tree/folder-totals.ts";
import { aliasesOf, factsOf } from "../file-facts.ts";
import { linkKey, linksIn } from "../links-in.ts";
import { LinkNames, movedPath, type Move } from "./moved-names.ts";
import { rewriteLinks } from "./rewrite-links.ts";
import { moves, texts, vaults } from "./testing/linked-vaults.ts";

type Texts = ReadonlyMap<VaultPath, string>;

const NO_FACTS = { kind: "text", tokens: 1, bytes: 1, changed: "", signature: "" } as const;

function nodesOf(files: Texts): TreeNode[] {
  const folders = new Set<VaultPath>();
  for (const file of files.keys())
    for (let at = parentOf(file); at !== ""; at = parentOf(at)) folders.add(at);
  return [
    ...[...folders].map((path): TreeNode => {
      const none = { tokens: 0, changed: null, files: 0, children: () => [] };
      return { kind: "folder", name: nameOf(path), path, ...none };
    }),
    ...[...files.keys()].map((path): TreeNode => ({
      kind: "file",
      name: nameOf(path),
      path,
      facts: NO_FACTS,
    })),
  ];
}

/** What links may be called in these files, before and after a move. */
function namesOf(files: Texts, move: Move | null): LinkNames {
  const aliases = [...files].flatMap(([path, text]) =>
    aliasesOf(factsOf(path, text)).map((alias) => ({ key: linkKey(alias), path })),
  );
  const every = new Set(
    [...files].flatMap(([path, text]) => [
      ...path.split("/").map(linkKey),
      ...(move === null ? [] : movedPath(path, move).split("/").map(linkKey)),
      ...linksIn(text).map(({ target }) => linkKey(target)),
    ]),
  );
  return new LinkNames(nodesOf(files), aliases, every, move);
}

/** Whether a move could be made. */
function canMove(files: Texts, { from, to }: Move): boolean {
  const paths = [...files.keys()];
  const isTaken = paths.some(
    (path) => isUnder(path, to) || (isUnder(to, path) && !isUnder(path, from)),
  );
  return !isTaken && !isUnder(to, from);
}

it("after any moves and renames, every link that resolved still resolves to the same file", () => {
  let rewritten = 0;
  fc.assert(
    fc.property(vaults, moves, (notes, steps) => {
      let files: Texts = texts(notes);
      for (const { pick, to, isFolder } of steps) {
        const paths = [...files.keys()];
        const chosen = paths[pick % paths.length] ?? "";
        const from = isFolder && chosen.includes("/") ? (chosen.split("/")[0] ?? "") : chosen;
        const move = { from, to };
        if (from === "" || !canMove(files, move)) continue;
        const [before, after] = [namesOf(files, null), namesOf(files, move)];
        const all = new Set(
          paths
            .flatMap((path) => [path, movedPath(path, move)])
            .flatMap((path) => path.split("/"))
            .map(linkKey),
        );
        for (const [, text] of files)
          for (const { target } of linksIn(text)) all.add(linkKey(target));
        const next = new Map<VaultPath, string>();
        const left = new Set<VaultPath>();
        for (const [path, text] of files) {
          const done = rewriteLinks(text, path, { move, before, after, keys: all });
          rewritten += done.links;
          if (done.left > 0) left.add(path);
          if (done.links === 0) expect(done.text).toBe(text);
          next.set(movedPath(path, move), done.text);
        }
        const now = namesOf(next, null);
        for (const [path, text] of files) {
          const [old, found] = [linksIn(text), linksIn(next.get(movedPath(path, move)) ?? "")];
          expect(found).toHaveLength(old.length);
          for (const [at, link] of old.entries()) {
            const meant = before.resolve(path, link);
            const made = found[at];
            if (meant === null || left.has(path) || made === undefined) continue;
            // A folder stays on a disk when its last file goes, and not in this model.
            if (![...next.keys()].some((each) => isUnder(each, movedPath(meant, move)))) continue;
            expect(
              now.resolve(movedPath(path, move), made),
              `${path}: ${link.target} → ${made.target}`,
            ).toBe(movedPath(meant, move));
            expect(made.fragment).toBe(link.fragment);
          }
        }
        files = next;
      }
    }),
    { numRuns: 1500 },
  );
  expect(rewritten).toBeGreaterThan(500);
});
