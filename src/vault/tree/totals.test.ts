import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { create, makeFolder, move, remove, undo, update } from "../../testing/suites/changes.ts";
import { countReads } from "../../testing/count-reads.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { temporaryVault, writeFiles } from "../../testing/temporary-vault.ts";
import { Disk } from "../disk.ts";
import { demoImage } from "../../testing/demo-image.ts";
import { Totals, type TreeNode } from "./totals.ts";
import type { LocalVault } from "../vault.ts";

const at = (vault: LocalVault, name: string): string => path.join(vault.root, name);

/** A tree of totals as plain values. */
function plain(node: TreeNode | null): unknown {
  if (node === null || node.kind === "file") return node;
  const { kind, name, path: place, tokens, changed, files } = node;
  return { kind, name, path: place, tokens, changed, files, children: node.children().map(plain) };
}

/** The totals a vault keeps, and those of a fresh scan: they must be equal. */
const kept = (vault: LocalVault): unknown => plain(vault.totals.get(""));
const fresh = (vault: LocalVault): unknown => plain(new Totals(new Disk(vault.root)).scan());

function names(node: TreeNode | null): string[] {
  if (node === null) return [];
  const own = node.kind === "folder" ? `${node.path}/` : node.path;
  return [own, ...(node.kind === "folder" ? node.children().flatMap(names) : [])];
}

describe("a scan", () => {
  it("sums tokens and files, and takes the latest change, up to the root", async () => {
    const vault = temporaryVault({
      "a/b.md": "x".repeat(9),
      "a/c/d.md": "---\nupdated: 2031-01-02T03:04:05\n---\n",
      "e.md": "yyyy",
    });
    utimesSync(at(vault, "a/b.md"), 1e9, 1e9);
    utimesSync(at(vault, "e.md"), 1e9, 1e9);
    expect(await vault.shape("")).toMatchObject({
      tokens: 3 + 10 + 1,
      files: 3,
      changed: "2031-01-02T03:04:05",
    });
    expect(await vault.shape("a/c")).toMatchObject({ tokens: 10, files: 1 });
    expect(await vault.shape("e.md")).toMatchObject({
      kind: "file",
      facts: { tokens: 1, kind: "text" },
    });
  });

  it("lists folders first, each in the byte order of names", async () => {
    const vault = temporaryVault({
      "b.md": "",
      "A.md": "",
      "é.md": "",
      "z/x.md": "",
      "y/x.md": "",
      "😀.md": "",
      "￮.md": "",
    });
    const root = await vault.shape("");
    const children = root.kind === "folder" ? root.children() : [];
    expect(children.map(({ name }) => name)).toEqual([
      "y",
      "z",
      "A.md",
      "b.md",
      "é.md",
      "￮.md",
      "😀.md",
    ]);
  });

  it("tells text, image and other files apart by their bytes", async () => {
    const vault = temporaryVault({
      "plan.png": demoImage(),
      "faux.png": "pas une image du tout, vraiment pas",
      "bin.md": Buffer.from([0, 1, 2]),
      "mark.md": "\ufeffabc",
    });
    expect(await vault.shape("plan.png")).toMatchObject({
      facts: { kind: "image", width: 640, height: 400, tokens: 0 },
    });
    expect(await vault.shape("faux.png")).toMatchObject({ facts: { kind: "other", tokens: 0 } });
    expect(await vault.shape("bin.md")).toMatchObject({ facts: { kind: "other", tokens: 0 } });
    expect(await vault.shape("mark.md")).toMatchObject({ facts: { kind: "text", tokens: 1 } });
  });

  it("counts a large text as it counts a small one", async () => {
    const text = "🌳é\r\n".repeat(300_000);
    const vault = temporaryVault({
      "a.md": `\ufeff${text}`,
      "b.md": Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
    });
    expect(await vault.shape("a.md")).toMatchObject({
      facts: { tokens: Math.ceil((text.length + 1) / 4) },
    });
    expect(await vault.shape("b.md")).toMatchObject({ facts: { kind: "other", tokens: 0 } });
  });

  it("leaves out hidden files, special files, and links that leave or lead to folders", async () => {
    const vault = temporaryVault({ "a.md": "a", ".b.md": "b", ".git/c": "c", "d/.e": "e" });
    symlinkSync("/etc/hostname", at(vault, "dehors.md"));
    symlinkSync("d", at(vault, "lien"));
    symlinkSync("rien", at(vault, "perdu.md"));
    symlinkSync("a.md", at(vault, "alias.md"));
    execFileSync("mkfifo", [at(vault, "tuyau.md")]);
    expect(names(await vault.shape(""))).toEqual(["/", "d/", "a.md", "alias.md"]);
  });

  it.each([
    ["read", 0o000],
    ["entered", 0o644],
    ["listed", 0o311],
  ])("shows a folder that may not be %s, and the rest of the vault", async (_, mode) => {
    const vault = temporaryVault({
      "a.md": "aaaa",
      "clos/b.md": "b",
      "clos/sous/c.md": "c",
      "muet.md": "m",
    });
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      chmodSync(at(vault, "clos"), mode);
      chmodSync(at(vault, "muet.md"), 0o000);
      try {
        const shown = names(await vault.shape(""));
        expect(shown.filter((name) => !name.startsWith("clos/") || name === "clos/")).toEqual([
          "/",
          "clos/",
          "a.md",
          "muet.md",
        ]);
        expect(await vault.shape("muet.md")).toMatchObject({
          facts: { kind: "other", bytes: 1, tokens: 0 },
        });
        vault.totals.scan();
        vault.totals.refresh("a.md");
        vault.totals.refresh("clos");
        vault.totals.refresh("clos/b.md");
        vault.totals.refresh("clos/sous/c.md");
        expect(vault.totals.get("a.md")).toMatchObject({ facts: { tokens: 1 } });
      } finally {
        chmodSync(at(vault, "clos"), 0o755);
      }
    });
  });
});

describe("totals that are kept", () => {
  it("equal a fresh scan after any changes on disk that they are told of", () => {
    const vault = temporaryVault();
    const place = fc.constantFrom(
      "a.md",
      "b.md",
      "d",
      "d/a.md",
      "d/e/f.md",
      "d/e",
      "g/h/i.md",
      "img.png",
    );
    const step = fc.record({
      kind: fc.constantFrom("write", "folder", "remove", "move"),
      path: place,
      to: place,
    });
    vault.totals.scan();
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), (steps) => {
        for (const [round, { kind, path: name, to }] of steps.entries()) {
          try {
            if (kind === "write") writeFiles(vault.root, { [name]: "mot ".repeat(round * 7) });
            else if (kind === "folder") mkdirSync(at(vault, name));
            else if (kind === "remove") rmSync(at(vault, name), { recursive: true });
            else renameSync(at(vault, name), at(vault, to));
          } catch {
            continue;
          }
          for (const told of kind === "move" ? [name, to] : [name]) vault.totals.refresh(told);
          // A folder that came to be on the way is told of, too, as a watcher would.
          vault.totals.refresh(name.split("/")[0] ?? "");
        }
        expect(kept(vault)).toEqual(fresh(vault));
      }),
      { numRuns: 300 },
    );
  });

  it("hold no folder that an undo took away", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    vault.totals.scan();
    await undo(vault, await create(vault, "x/y/b.md", "b"));
    expect(kept(vault)).toEqual(fresh(vault));
    await undo(vault, await move(vault, "a.md", "z/w/a.md"));
    expect(kept(vault)).toEqual(fresh(vault));
    expect(names(vault.totals.get(""))).toEqual(["/", "a.md"]);
  });

  it("hold a folder that was made empty, and what an undo brought back", async () => {
    const vault = temporaryVault({ "d/a.md": "a", "d/e/b.md": "b" });
    vault.totals.scan();
    await makeFolder(vault, "vide/encore");
    expect(kept(vault)).toEqual(fresh(vault));
    await undo(vault, await remove(vault, "d"));
    expect(kept(vault)).toEqual(fresh(vault));
    await undo(vault, await move(vault, "d", "f/g"));
    expect(kept(vault)).toEqual(fresh(vault));
  });

  it("follow a file under every name it has", async () => {
    const vault = temporaryVault({ "d/a.md": "court" });
    symlinkSync("d/a.md", at(vault, "alias.md"));
    vault.totals.scan();
    await update(vault, "d/a.md", "beaucoup plus long ".repeat(20));
    expect(kept(vault)).toEqual(fresh(vault));
    await remove(vault, "d/a.md");
    expect(kept(vault)).toEqual(fresh(vault));
    await create(vault, "d/a.md", "revenu");
    expect(kept(vault)).toEqual(fresh(vault));
  });

  it("do not begin to list a link to a folder, or a pipe, because it was moved", async () => {
    const vault = temporaryVault({ "d/a.md": "a" });
    symlinkSync("d", at(vault, "lien"));
    execFileSync("mkfifo", [at(vault, "tuyau.md")]);
    vault.totals.scan();
    await move(vault, "lien", "autre");
    expect(kept(vault)).toEqual(fresh(vault));
    vault.totals.refresh("tuyau.md");
    vault.totals.refresh("autre");
    expect(kept(vault)).toEqual(fresh(vault));
  });

  it("take no harm from a path that is hidden, outside, or under a file", () => {
    const vault = temporaryVault({ "a.md": "a", ".git/b": "b" });
    symlinkSync("/etc", at(vault, "dehors"));
    symlinkSync("rien", at(vault, "perdu.md"));
    vault.totals.scan();
    for (const told of ["dehors", "dehors/passwd", "perdu.md", "a.md/b.md", "absent/b.md"])
      vault.totals.refresh(told);
    expect(kept(vault)).toEqual(fresh(vault));
  });

  it("forget nothing when a file takes the place of a folder, or the other way round", () => {
    const vault = temporaryVault({ "x/a.md": "a", "x/b.md": "b", "y.md": "y" });
    vault.totals.scan();
    rmSync(at(vault, "x"), { recursive: true });
    writeFileSync(at(vault, "x"), "un fichier");
    vault.totals.refresh("x");
    expect(kept(vault)).toEqual(fresh(vault));
    rmSync(at(vault, "x"));
    writeFiles(vault.root, { "x/c/d.md": "d", "x/e.md": "e" });
    vault.totals.refresh("x");
    expect(kept(vault)).toEqual(fresh(vault));
  });

  it("count no time for tree.md, which changes whenever anything does", async () => {
    const tree = "```\nvault/                           [0 · —]\n```\n";
    const vault = temporaryVault({ "tree.md": tree });
    expect(await vault.shape("")).toMatchObject({ changed: null, tokens: 13, files: 1 });
  });

  it("reads no file when a folder is moved, and when its names are compared", async () => {
    const vault = temporaryVault({ "d/a.md": "a", "d/e/b.md": "bb", "d/e/f/c.md": "c" });
    vault.totals.scan();
    const reads = countReads("b.md");
    await move(vault, "d", "g/h");
    expect(kept(vault)).toMatchObject({ files: 3 });
    rmSync(at(vault, "g/h/e/f"), { recursive: true });
    writeFiles(vault.root, { "g/h/e/n/new.md": "new" });
    vault.totals.refreshFolder("g");
    expect(reads()).toBe(0);
    expect(names(vault.totals.get(""))).toContain("g/h/e/n/");
    vault.totals.refresh("g/h/e/n/new.md");
    expect(kept(vault)).toEqual(fresh(vault));
  });
});
