import {
  closeSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { expect, it } from "vitest";

import { temporaryFolder, writeFiles } from "../testing/temporary-vault.ts";
import { Disk } from "./disk.ts";
import { ExpectedError } from "../errors.ts";
import { parsePath } from "./paths.ts";

const RUNS = 200_000;
const NFD = "e\u0301t\u0065\u0301";

/** A vault with links of every kind in it, and a folder beside it that nothing may reach. */
function plantedVault(): { root: string } {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  const outside = path.join(folder, "dehors");
  writeFiles(folder, {
    "dehors/secret.md": "secret",
    "dehors/deep/secret.md": "secret",
    "notes-sibling/secret.md": "secret",
    "notes/a.md": "a",
    "notes/sub/b.md": "b",
    "notes/sub/deep/c.md": "c",
    "notes/vault/d.md": "d",
    "notes/.git/config": "hidden",
    "notes/sub/.hidden/e.md": "hidden",
    [`notes/${NFD}/${NFD}.md`]: "nfd",
    "notes/new\nline/f.md": "f",
    "notes/%2e%2e/g.md": "g",
    "notes/back\\slash/h.md": "h",
    "notes/C:/i.md": "i",
  });
  const links: [string, string][] = [
    ["out", outside],
    ["sub/out", "../../dehors"],
    ["sub/deep/out.md", path.join(outside, "secret.md")],
    ["up", ".."],
    ["slash", "/"],
    ["sibling", "../notes-sibling"],
    ["self", "self"],
    ["lost", "nowhere"],
    ["in", "sub"],
    ["sub/deep/in", "../.."],
    ["git", ".git"],
    ["sub/env", ".hidden/e.md"],
    ["chain", "chain2"],
    ["chain2", "in/out"],
    [`${NFD}/out`, outside],
    ["proc", "/proc/self/root"],
  ];
  for (const [name, target] of links) symlinkSync(target, path.join(root, name));
  mkdirSync(path.join(root, "empty"));
  writeFileSync(path.join(root, "file"), "");
  return { root };
}

const fragment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("..", ".", "", "vault", "a.md", "sub", "deep", "b.md") },
  {
    weight: 6,
    arbitrary: fc.constantFrom("out", "up", "slash", "sibling", "in", "chain", "git", "proc"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom("secret.md", "out.md", "dehors", "notes", "etc", "passwd", "tmp"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      NFD,
      NFD.normalize("NFC"),
      `${NFD}.md`,
      `${NFD.normalize("NFC")}.md`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "%2e%2e",
      "%2f",
      "..%2f..",
      "..;",
      "\u2025",
      "\uff0e\uff0e",
      "\u2024",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("..\\", "\\", "\\\\host", "C:", "C:\\x", "back\\slash", "\u2215"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(".git", ".hidden", "...", ". .", ".. ", " ..", ".\u0301"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("new\nline", "new\u240aline", "\0", "..\0", "\r", "\u0085"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(300), "é".repeat(128), "self", "lost", "file"),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: "binary" }) },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 4, unit: fc.constantFrom("/", ".", "\\", "\ud800") }),
  },
);

const anyPath = fc
  .tuple(
    fc.constantFrom("", "", "", "vault/", "/", "./", "//"),
    fc.array(fragment, { maxLength: 8 }),
    fc.constantFrom("", "", "/", "/."),
  )
  .map(([start, parts, end]) => start + parts.join("/") + end);

it(`gives, for ${RUNS} odd paths, something inside the vault and not hidden, or a refusal`, () => {
  const { root } = plantedVault();
  const disk = new Disk(root);
  const counts = { refused: 0, found: 0, missing: 0 };
  fc.assert(
    fc.property(anyPath, (input) => {
      let found: ReturnType<Disk["find"]>;
      try {
        found = disk.find(parsePath(input).path);
      } catch (error) {
        // Plain comparisons: two hundred thousand calls of `expect` would take most of the time.
        counts.refused += 1;
        return error instanceof ExpectedError;
      }
      const place = found.kind === "missing" ? found.folder : found;
      counts[found.kind === "missing" ? "missing" : "found"] += 1;
      const inside = path.relative(disk.root, place.real);
      const names = inside === "" ? [] : inside.split(path.sep);
      return (
        path.isAbsolute(place.real) &&
        names.every((name) => !name.startsWith(".")) &&
        realpathSync.native(place.real) === place.real &&
        (found.kind !== "missing" || found.names.every((name) => isPlainName(name)))
      );
    }),
    { numRuns: RUNS },
  );
  // The inputs are odd, but not so odd that nothing is ever found.
  expect(Math.min(counts.refused, counts.found, counts.missing)).toBeGreaterThan(RUNS / 100);
}, 120_000);

/** A name that stays one name in its folder when it is made. */
function isPlainName(name: string): boolean {
  return name !== "" && !name.startsWith(".") && !name.includes("/") && !name.includes("\0");
}

it("opens, of the same odd paths, only the vault's own files", () => {
  const { root } = plantedVault();
  const disk = new Disk(root);
  const opened = new Set<string>();
  fc.assert(
    fc.property(anyPath, (input) => {
      try {
        const { fd } = disk.open(parsePath(input).path);
        opened.add(readFileSync(fd, "utf8"));
        closeSync(fd);
        return true;
      } catch (error) {
        return error instanceof ExpectedError;
      }
    }),
    { numRuns: 10_000 },
  );
  expect([...opened].filter((content) => content === "secret" || content === "hidden")).toEqual([]);
  expect(opened.size).toBeGreaterThan(1);
});
