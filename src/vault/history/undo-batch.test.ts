import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { create, logOf, move, remove, undo, update } from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../vault.ts";

const RUN = "run-42";
const at = (vault: LocalVault, name: string): string => path.join(vault.root, name);

const files = {
  "changelog.md": "# 2026-03-01\n\n## Début\n",
  "projets/serre/état.md": "Plans faits.\n",
  "projets/serre/tâches.md": "# Verre\n",
  "projets/vélo/état.md": "Cadre soudé.\r\n",
  "inbox/2026-03-02-devis/review.md": "Quel projet ?\n",
  "inbox/2026-03-02-devis/devis.pdf": Buffer.from([37, 80, 68, 70, 0, 255]),
};

/** What an agent's run might do: several entries, with one file changed twice, another moved then changed, a folder removed. */
async function agentRun(vault: LocalVault): Promise<void> {
  await update(
    vault,
    "changelog.md",
    "# 2026-03-02\n\n## Devis\n\n# 2026-03-01\n\n## Début\n",
    RUN,
  );
  await update(vault, "projets/serre/état.md", "Plans faits. Verre commandé.\n", RUN);
  await update(vault, "projets/serre/état.md", "Verre livré.\n", RUN);
  await move(
    vault,
    "inbox/2026-03-02-devis/devis.pdf",
    "projets/serre/bucket/pièces/devis.pdf",
    RUN,
  );
  await move(vault, "projets/serre/tâches.md", "projets/serre/tasks.md", RUN);
  await update(vault, "projets/serre/tasks.md", "# Verre\n\n# Joints\n", RUN);
  await remove(vault, "inbox/2026-03-02-devis", RUN);
  await create(vault, "projets/serre/bucket/notes/verre.md", "4 mm\n", RUN);
  await create(vault, "projets/serre/bucket/notes/joints.md", "caoutchouc\n", RUN);
  await remove(vault, "projets/vélo/état.md", RUN);
  await create(vault, "projets/vélo/état.md", "Peinture.\n", RUN);
  await move(vault, "projets/vélo", "projets/bicyclette", RUN);
}

describe("undoing a batch", () => {
  it("gives back, byte for byte, the vault as it was before the run", async () => {
    const vault = temporaryVault(files);
    chmodSync(at(vault, "projets/vélo/état.md"), 0o600);
    const before = snapshotOf(vault.root);
    await agentRun(vault);
    expect(snapshotOf(vault.root)).not.toEqual(before);
    await undo(vault, RUN);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("can be undone and redone as one", async () => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    await agentRun(vault);
    const after = snapshotOf(vault.root);
    const undone = await undo(vault, RUN);
    const redone = await undo(vault, undone);
    expect(snapshotOf(vault.root)).toEqual(after);
    await undo(vault, redone);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it.each([
    ["a file", "inbox/2026-03-02-devis/review.md"],
    ["a folder", "inbox/2026-03-02-devis"],
    ["a folder made by it", "neuf"],
  ])("can be redone when it changed, then removed %s", async (_, removed) => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    await update(vault, "inbox/2026-03-02-devis/review.md", "Réponse.\n", RUN);
    await create(vault, "neuf/a.md", "a\n", RUN);
    await update(vault, "neuf/a.md", "b\n", RUN);
    await remove(vault, removed, RUN);
    const after = snapshotOf(vault.root);
    const undone = await undo(vault, RUN);
    expect(snapshotOf(vault.root)).toEqual(before);
    await undo(vault, undone);
    expect(snapshotOf(vault.root)).toEqual(after);
  });

  it("says of every entry of the batch what undid it", async () => {
    const vault = temporaryVault(files);
    await agentRun(vault);
    const undone = await undo(vault, RUN);
    expect((await vault.entries(RUN)).map((entry) => entry.undoneBy)).toEqual(
      Array.from({ length: 12 }, () => undone),
    );
    expect((await vault.entries(undone))[0]?.undoes).toBe(RUN);
  });

  it("leaves other changes made in between, when they touch other files", async () => {
    const vault = temporaryVault({ ...files, "autre.md": "un\n" });
    await update(vault, "changelog.md", "# neuf\n", RUN);
    await update(vault, "autre.md", "deux\n");
    await update(vault, "projets/serre/état.md", "Neuf.\n", RUN);
    await undo(vault, RUN);
    expect(readFileSync(at(vault, "autre.md"), "utf8")).toBe("deux\n");
    expect(readFileSync(at(vault, "changelog.md"), "utf8")).toBe(files["changelog.md"]);
  });
});

describe("a batch of which one change cannot be undone", () => {
  const spoilers: [string, (vault: LocalVault) => void][] = [
    ["its first, found last", (vault) => writeFileSync(at(vault, "changelog.md"), "à la main\n")],
    [
      "one in the middle",
      (vault) => writeFileSync(at(vault, "projets/serre/tasks.md"), "à la main\n"),
    ],
    [
      "its last, found first",
      (vault) => rmSync(at(vault, "projets/bicyclette"), { recursive: true }),
    ],
    [
      "a removal, where something else is now",
      (vault) => {
        writeFileSync(at(vault, "inbox/2026-03-02-devis"), "un fichier à sa place\n");
      },
    ],
  ];

  it.each(spoilers)("is not undone at all: %s", async (_, spoil) => {
    const vault = temporaryVault(files);
    await agentRun(vault);
    spoil(vault);
    const [tree, log] = [snapshotOf(vault.root), await logOf(vault)];
    expect(await codeOf(async () => undo(vault, RUN))).toBe("conflict");
    expect(snapshotOf(vault.root)).toEqual(tree);
    expect(await logOf(vault)).toEqual(log);
    expect(leftovers(vault.root)).toEqual([]);
  });

  it("keeps the modes of files and folders it had already taken away", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    await update(vault, "a.md", "deux\n", RUN);
    await create(vault, "privé/dossier/b.md", "b\n", RUN);
    chmodSync(at(vault, "privé/dossier"), 0o700);
    chmodSync(at(vault, "privé/dossier/b.md"), 0o600);
    writeFileSync(at(vault, "a.md"), "à la main\n");
    const [tree, log] = [snapshotOf(vault.root), await logOf(vault)];
    expect(await codeOf(async () => undo(vault, RUN))).toBe("conflict");
    expect(snapshotOf(vault.root)).toEqual(tree);
    expect(await logOf(vault)).toEqual(log);
  });

  it("is undone with force, and what was there is kept", async () => {
    const vault = temporaryVault(files);
    const before = snapshotOf(vault.root);
    await agentRun(vault);
    writeFileSync(at(vault, "projets/serre/tasks.md"), "à la main\n");
    writeFileSync(at(vault, "inbox/2026-03-02-devis"), "un fichier à sa place\n");
    const spoiled = snapshotOf(vault.root);
    const forced = await undo(vault, RUN, { force: true });
    expect(snapshotOf(vault.root)).toEqual(before);
    await undo(vault, forced);
    expect(snapshotOf(vault.root)).toEqual(spoiled);
  });
});

describe("names on disk", () => {
  const NFD = "e\u0301te\u0301";

  it.each([
    ["a file in NFD", `${NFD}.md`],
    ["a folder in NFD", NFD],
    ["a file with a line break in its name", "deux\nlignes.md"],
    ["a folder with a line break in its name", "deux\nlignes"],
  ])("come back byte for byte when the move of %s is undone", async (_, name) => {
    const vault = temporaryVault(
      name.endsWith(".md") ? { [name]: "texte\n" } : { [`${name}/a.md`]: "texte\n" },
    );
    const before = snapshotOf(vault.root);
    const shown = (await vault.list(""))[0]?.path ?? "";
    const id = await move(vault, shown, "ailleurs/simple");
    const after = snapshotOf(vault.root);
    const undone = await undo(vault, id);
    expect(snapshotOf(vault.root)).toEqual(before);
    await undo(vault, undone);
    expect(snapshotOf(vault.root)).toEqual(after);
  });

  it("come back byte for byte when a file in an NFD folder is changed, removed, made", async () => {
    const vault = temporaryVault({ [`${NFD}/a.md`]: "a\n", [`${NFD}/${NFD}.md`]: "b\n" });
    const before = snapshotOf(vault.root);
    const nfc = NFD.normalize("NFC");
    await update(vault, `${nfc}/a.md`, "deux\n", RUN);
    await remove(vault, `${nfc}/${nfc}.md`, RUN);
    await create(vault, `${nfc}/neuf/c.md`, "c\n", RUN);
    await remove(vault, nfc, RUN);
    await undo(vault, RUN);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("of a link inside a removed folder come back with it", async () => {
    const vault = temporaryVault({ "d/a.md": "a" });
    symlinkSync("/etc/hostname", at(vault, "d/dehors"));
    symlinkSync("nulle-part", at(vault, "d/perdu"));
    const before = snapshotOf(vault.root);
    await undo(vault, await remove(vault, "d"));
    expect(snapshotOf(vault.root)).toEqual(before);
  });
});
