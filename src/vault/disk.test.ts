import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { create, logOf, makeFolder, move } from "../testing/suites/changes.ts";
import { startChild } from "../testing/processes/child.ts";
import { codeOf, refusalOf } from "../testing/expected-error.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import { temporaryFolder, temporaryVault } from "../testing/temporary-vault.ts";
import { Disk } from "./disk.ts";
import { parsePath } from "./paths.ts";
import type { FileNode, TreeNode } from "./tree/totals.ts";
import { createVault, type Vault } from "./vault.ts";

const NFC = "\u00e9t\u00e9";
const NFD = "e\u0301te\u0301";

async function textOf(vault: Vault, input: string): Promise<string> {
  const text = await vault.openText(parsePath(input).path);
  return text.range(1, text.totalLines).lines.join("\n");
}

function filesUnder(node: TreeNode): FileNode[] {
  return node.kind === "file" ? [node] : node.children().flatMap(filesUnder);
}

async function creating(vault: Vault, input: string): Promise<string> {
  return codeOf(async () => create(vault, parsePath(input).path, "neuf\n"));
}

describe("finding", () => {
  it.each(["", "/", "vault", "vault/"])("finds the root as %j", async (input) => {
    const vault = temporaryVault({ "a.md": "a" });
    const found = await vault.find(parsePath(input).path);
    expect(found).toMatchObject({ kind: "folder", path: "" });
    expect(new Disk(vault.root).get(parsePath(input).path).real).toBe(vault.root);
  });

  it("tells a file, a folder and nothing apart", async () => {
    const vault = temporaryVault({ "lettres/mai.md": "Chère Anne" });
    expect((await vault.find("lettres")).kind).toBe("folder");
    expect((await vault.find("lettres/mai.md")).kind).toBe("file");
    expect(await vault.find("lettres/juin.md")).toEqual({ kind: "missing" });
    const disk = new Disk(vault.root);
    expect(disk.find("lettres/juin.md")).toMatchObject({ kind: "missing", names: ["juin.md"] });
    expect(disk.find("x/y/z.md")).toMatchObject({ kind: "missing", names: ["x", "y", "z.md"] });
  });

  it("says not_a_folder for anything under a file, at any depth", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    expect(await codeOf(() => vault.find("a.md/b.md"))).toBe("not_a_folder");
    expect(await codeOf(() => vault.find("a.md/b/c/d.md"))).toBe("not_a_folder");
    expect(await creating(vault, "a.md/b.md")).toBe("not_a_folder");
    expect(await creating(vault, "a.md/b/c.md")).toBe("not_a_folder");
  });

  it("says not_a_file when a folder is read as a text", async () => {
    const vault = temporaryVault({ "dossier/a.md": "a" });
    expect(await codeOf(() => vault.openText("dossier"))).toBe("not_a_file");
    expect(await codeOf(() => vault.readBytes("dossier", 10))).toBe("not_a_file");
    expect(await codeOf(() => vault.openText(""))).toBe("not_a_file");
  });

  it("says not_a_folder when a file is listed", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    expect(await codeOf(() => vault.list("a.md"))).toBe("not_a_folder");
  });

  it("names near paths for a missing one", async () => {
    const vault = temporaryVault({ "projets/potager/etat.md": "semis" });
    const refusal = await refusalOf(() => vault.get("projets/potager/état.md"));
    expect(refusal?.code).toBe("not_found");
    expect(refusal?.message).toContain("vault/projets/potager/etat.md");
  });

  it.each(["deux mots.md", "\"quoted\" 'name'.md", "`tick`.md", "🌻.md", "50%25.md", "a\\b.md"])(
    "finds, makes and lists a file named %j",
    async (name) => {
      const vault = temporaryVault({ [name]: "là" });
      expect(await textOf(vault, name)).toBe("là");
      expect(await creating(vault, `sous/${name}`)).toBe("done");
      expect((await vault.list("sous")).map((listed) => listed.name)).toEqual([name]);
    },
  );
});

describe("names in both Unicode forms", () => {
  it.each([
    ["NFD", NFD, NFC],
    ["NFC", NFC, NFD],
  ])(
    "finds what is on disk in %s by the other form, last or in the middle",
    async (_, disk, asked) => {
      const vault = temporaryVault({ [`${disk}/${disk}/${disk}.md`]: "soleil" });
      expect(await textOf(vault, `${asked}/${asked}/${asked}.md`)).toBe("soleil");
      expect(await textOf(vault, `vault/${disk}/${asked}/${disk}.md`)).toBe("soleil");
      expect(await vault.find(NFC)).toMatchObject({ kind: "folder", path: NFC });
    },
  );

  it("creates in the folder that is there, in whichever form", async () => {
    const vault = temporaryVault({ [`${NFD}/a.md`]: "a" });
    expect(await creating(vault, `${NFC}/neuf/b.md`)).toBe("done");
    expect(Object.keys(snapshotOf(vault.root))).toContain(`${NFD}/neuf/b.md`);
    expect(Object.keys(snapshotOf(vault.root))).not.toContain(NFC);
  });

  it("refuses to create a file whose name is there in the other form", async () => {
    const vault = temporaryVault({ [`${NFD}.md`]: "là" });
    const before = snapshotOf(vault.root);
    expect(await creating(vault, `${NFC}.md`)).toBe("already_exists");
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it.each([["fichier.md"], ["dossier"]])(
    "refuses to move %s to a name that is there in the other form",
    async (from) => {
      const vault = temporaryVault({
        "fichier.md": "f",
        "dossier/a.md": "a",
        [`${NFD}/b.md`]: "b",
      });
      const before = snapshotOf(vault.root);
      expect(await codeOf(async () => move(vault, from, NFC))).toBe("already_exists");
      expect(snapshotOf(vault.root)).toEqual(before);
    },
  );

  it("takes the NFC one when both are on disk, and says so in every look", async () => {
    const vault = temporaryVault({ [`${NFD}.md`]: "décomposé", [`${NFC}.md`]: "composé" });
    expect(await textOf(vault, `${NFC}.md`)).toBe("composé");
    expect(await textOf(vault, `${NFD}.md`)).toBe("composé");
  });

  it("lists a name once when both forms of it are on disk", async () => {
    const vault = temporaryVault({
      [`${NFD}.md`]: "décomposé",
      [`${NFC}.md`]: "composé",
      [`${NFD}/x.md`]: "décomposé",
      [`${NFC}/y.md`]: "composé",
    });
    const listed = (await vault.list("")).map((entry) => entry.path);
    expect(listed).toEqual([...new Set(listed)]);
    const walked = (await Array.fromAsync(vault.walk(""))).map((entry) => entry.path);
    expect(walked).toEqual([...new Set(walked)]);
  });

  it("lists nothing that cannot be opened by the name shown", async () => {
    const vault = temporaryVault({
      [`${NFD}.md`]: "d",
      [`${NFC}.md`]: "c",
      [`${NFD}/x.md`]: "d",
      [`${NFC}/y.md`]: "c",
      "a\nb.md": "n",
      "a\u240ab.md": "p",
    });
    for await (const { path: shown } of vault.walk(""))
      expect((await vault.find(shown)).kind).toBe("file");
    for (const { path: shown, facts } of filesUnder(await vault.shape("")))
      expect(await vault.find(shown)).toMatchObject({ kind: "file", version: facts.signature });
  });
});

describe("names with control characters", () => {
  const names = [
    "deux\nlignes.md",
    "cloche\u0007.md",
    "retour\r.md",
    "ligne\u2028sép.md",
    "del\u007f.md",
  ];

  it.each(names)("finds %j raw and by its picture, and shows the picture", async (name) => {
    const vault = temporaryVault({ [`x/${name}`]: "contenu" });
    const [listed] = await vault.list("x");
    expect(listed?.name).not.toBe(name);
    expect(listed?.name).toMatch(/[\u2400-\u2424]/u);
    expect(await textOf(vault, `x/${name}`)).toBe("contenu");
    expect(await textOf(vault, `vault/x/${listed?.name}`)).toBe("contenu");
  });

  it.each(names)("refuses to create %j, or a folder named so", async (name) => {
    const vault = temporaryVault();
    expect(await creating(vault, name)).toBe("invalid_argument");
    expect(await creating(vault, `${name}/a.md`)).toBe("invalid_argument");
    expect(snapshotOf(vault.root)).toEqual({});
    expect(await logOf(vault)).toEqual([]);
  });

  it("refuses to make a folder with a line break in its name", async () => {
    const vault = temporaryVault();
    const making = async (): Promise<void> => makeFolder(vault, parsePath("deux\nlignes").path);
    expect(await codeOf(making)).toBe("invalid_argument");
    expect(snapshotOf(vault.root)).toEqual({});
  });

  it("lets a plain file be made in a folder whose own name has a line break", async () => {
    const vault = temporaryVault({ "deux\nlignes/a.md": "a" });
    expect(await creating(vault, "deux\nlignes/b.md")).toBe("done");
    expect(Object.keys(snapshotOf(vault.root))).toContain("deux\nlignes/b.md");
  });
});

describe("very long names", () => {
  it("makes and finds a name of 255 bytes", async () => {
    const vault = temporaryVault();
    const name = `${"é".repeat(126)}.md`;
    expect(await creating(vault, name)).toBe("done");
    expect(await textOf(vault, name)).toBe("neuf");
  });

  it.each([
    ["a name", `${"n".repeat(300)}.md`],
    ["a name in a new folder", `neuf/${"n".repeat(300)}.md`],
    ["a folder's name", `neuf/encore/${"n".repeat(300)}/a.md`],
    ["a path of long names", `${`${"d".repeat(200)}/`.repeat(30)}a.md`],
  ])("refuses %s that is too long for the disk, and leaves nothing behind", async (_, input) => {
    const vault = temporaryVault();
    expect(await creating(vault, input)).toBe("invalid_argument");
    expect(snapshotOf(vault.root)).toEqual({});
    expect(await logOf(vault)).toEqual([]);
  });
});

describe("a path of very many folders", () => {
  it.each([60, 490, 2500])("is made or refused at once, whole: %d folders", async (depth) => {
    const vault = temporaryVault();
    // In a process of its own: nothing else could end a loop that never gives way.
    const script = new URL("../testing/processes/create-file.ts", import.meta.url);
    const child = startChild(script, [vault.root, vault.state, `${"d/".repeat(depth)}a.md`]);
    const patience = setTimeout(() => child.process.kill("SIGKILL"), 50_000);
    try {
      const code = await child.finished();
      const made = Object.keys(snapshotOf(vault.root)).length;
      expect([`done ${depth + 1}`, "invalid_argument 0"]).toContain(`${code} ${made}`);
    } finally {
      clearTimeout(patience);
    }
  });
});

describe("opening a vault", () => {
  it("refuses a missing folder, and a file", async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "fichier"), "");
    const state = path.join(folder, "state");
    const opening = (root: string): Promise<string> =>
      codeOf(() => createVault({ root: path.join(folder, root), state }));
    expect(await opening("absent")).toBe("not_found");
    expect(await opening("fichier")).toBe("not_a_folder");
  });

  it("opens a root that is itself a link, and keeps to the real folder", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "real"));
    writeFileSync(path.join(folder, "real", "a.md"), "ici");
    symlinkSync("real", path.join(folder, "link"));
    const disk = new Disk(path.join(folder, "link"));
    expect(path.basename(disk.root)).toBe("real");
    expect(disk.find("a.md")).toMatchObject({ kind: "file", path: "a.md" });
  });

  it.each(["notes", "notes/state", "notes/.state"])(
    "refuses a state folder inside the vault: %s",
    async (state) => {
      const folder = temporaryFolder();
      mkdirSync(path.join(folder, "notes"));
      const options = { root: path.join(folder, "notes"), state: path.join(folder, state) };
      expect(await codeOf(() => createVault(options))).toBe("invalid_argument");
    },
  );

  it.each([
    ["notes", "link"],
    ["notes", "link/state"],
    ["link", "link/state"],
    ["link", "link/deep/state"],
    ["link", "notes/state"],
  ])(
    "refuses, for the root %s, a state folder inside it by way of a link: %s",
    async (root, state) => {
      const folder = temporaryFolder();
      mkdirSync(path.join(folder, "notes"));
      symlinkSync("notes", path.join(folder, "link"));
      const options = { root: path.join(folder, root), state: path.join(folder, state) };
      expect(await codeOf(() => createVault(options))).toBe("invalid_argument");
    },
  );

  it("says the vault is unavailable when its folder is gone", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    rmSync(vault.root, { recursive: true });
    expect(await codeOf(() => vault.find("a.md"))).toBe("unavailable");
    expect(await codeOf(() => vault.list(""))).toBe("unavailable");
    expect(await codeOf(() => vault.openText("a.md"))).toBe("unavailable");
  });
});
