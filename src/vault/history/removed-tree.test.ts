import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { logOf, remove, undo } from "../../testing/suites/changes.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { leftovers, snapshotOf } from "../../testing/tree-snapshot.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../vault.ts";

const at = (vault: LocalVault, name: string): string => path.join(vault.root, name);

/** A folder with all a folder may hold. */
function furnishedVault(): LocalVault {
  const vault = temporaryVault({
    "grenier/note.md": "---\ntitre: Note\n---\n\ntexte\r\n",
    "grenier/.git/config": "[core]\n",
    "grenier/.git/objects/pack": Buffer.from([0, 1, 2, 254, 255]),
    "grenier/.caché": "",
    "grenier/script.sh": "#!/bin/sh\n",
    "grenier/profond/a/b/c/d.md": "loin",
    "grenier/e\u0301te\u0301.md": "décomposé",
    "grenier/\u00e9t\u00e9.md": "composé",
    "grenier/deux\nlignes.md": "retour",
    'grenier/\u{1f331} "pousse" `x`.md': "emoji",
    "grenier/vide.md": "",
    "autre.md": "reste",
  });
  mkdirSync(at(vault, "grenier/vide/encore-vide"), { recursive: true });
  symlinkSync("note.md", at(vault, "grenier/lien.md"));
  symlinkSync("profond", at(vault, "grenier/lien-dossier"));
  symlinkSync("nulle-part", at(vault, "grenier/perdu"));
  symlinkSync("/etc/passwd", at(vault, "grenier/dehors"));
  linkSync(at(vault, "grenier/note.md"), at(vault, "grenier/jumeau.md"));
  chmodSync(at(vault, "grenier/script.sh"), 0o755);
  chmodSync(at(vault, "grenier/.caché"), 0o400);
  chmodSync(at(vault, "grenier/profond"), 0o700);
  chmodSync(at(vault, "grenier/vide"), 0o1777);
  utimesSync(at(vault, "grenier/script.sh"), 1_500_000_000.5, 1_400_000_000.25);
  return vault;
}

describe("a folder that is removed and brought back", () => {
  it("is what it was: hidden files, empty folders, links, modes, names, bytes", async () => {
    const vault = furnishedVault();
    const before = snapshotOf(vault.root);
    const id = await remove(vault, "grenier");
    expect(Object.keys(snapshotOf(vault.root))).toEqual(["autre.md"]);
    await undo(vault, id);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("has the times its files had, to a few microseconds", async () => {
    const vault = furnishedVault();
    const names = ["note.md", "script.sh", ".caché", "profond/a/b/c/d.md", "deux\nlignes.md"];
    const times = (): number[] =>
      names.map((name) => statSync(at(vault, `grenier/${name}`)).mtimeMs);
    const before = times();
    await undo(vault, await remove(vault, "grenier"));
    const off = times().map((time, index) => Math.abs(time - (before[index] ?? 0)));
    expect(Math.max(...off)).toBeLessThan(0.005);
  });

  it("has the owners it had, when the user may give files away", async () => {
    const vault = furnishedVault();
    if (process.getuid?.() === 0) {
      chownSync(at(vault, "grenier/note.md"), 1234, 5678);
      chownSync(at(vault, "grenier/profond"), 1234, 5678);
    }
    const before = snapshotOf(vault.root);
    await undo(vault, await remove(vault, "grenier"));
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("can be removed, brought back and removed again, many times", async () => {
    const vault = furnishedVault();
    const before = snapshotOf(vault.root);
    let id = await remove(vault, "grenier");
    for (let round = 0; round < 3; round += 1) {
      id = await undo(vault, id);
      expect(snapshotOf(vault.root)).toEqual(before);
      id = await undo(vault, id);
      expect(Object.keys(snapshotOf(vault.root))).toEqual(["autre.md"]);
    }
  });

  it("is not brought back over something that has its name in the other Unicode form", async () => {
    const vault = temporaryVault({ "e\u0301.md": "ancien" });
    const id = await remove(vault, "\u00e9.md");
    writeFileSync(at(vault, "\u00e9.md"), "nouveau");
    expect(await codeOf(async () => undo(vault, id))).toBe("conflict");
    expect(readFileSync(at(vault, "\u00e9.md"), "utf8")).toBe("nouveau");
  });

  it("holds files of any size", async () => {
    const vault = temporaryVault();
    mkdirSync(at(vault, "d"));
    const part = 4 * 1024 * 1024;
    for (const size of [0, 1, part - 1, part, part + 1, 2 * part]) {
      writeFileSync(at(vault, `d/${size}.bin`), Buffer.alloc(size, `${size}-`));
    }
    const before = snapshotOf(vault.root);
    await undo(vault, await remove(vault, "d"));
    expect(snapshotOf(vault.root)).toEqual(before);
  });
});

describe("a removal that fails", () => {
  it("leaves the folder as it was when part of it may not be removed", async () => {
    const vault = temporaryVault({
      "d/a.md": "a",
      "d/fermé/b.md": "b",
      "d/fermé/c.md": "c",
      "d/z.md": "z",
    });
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      chmodSync(at(vault, "d/fermé"), 0o555);
      const before = snapshotOf(vault.root);
      try {
        expect(await codeOf(async () => remove(vault, "d"))).toBe("no_permission");
        expect(snapshotOf(vault.root)).toEqual(before);
        expect(await logOf(vault)).toEqual([]);
      } finally {
        chmodSync(at(vault, "d/fermé"), 0o755);
      }
    });
  });

  it("leaves the folder as it was when part of it may not be read, and so not kept", async () => {
    const vault = temporaryVault({ "d/a.md": "a", "d/muet.md": "m", "d/clos/b.md": "b" });
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      const before = snapshotOf(vault.root, { times: true });
      for (const name of ["d/muet.md", "d/clos"]) {
        chmodSync(at(vault, name), 0o000);
        expect(await codeOf(async () => remove(vault, "d"))).toBe("no_permission");
        expect(await codeOf(async () => remove(vault, name))).toBe("no_permission");
        chmodSync(at(vault, name), name === "d/clos" ? 0o755 : 0o644);
      }
      expect(snapshotOf(vault.root, { times: true })).toEqual(before);
      expect(await logOf(vault)).toEqual([]);
      expect(leftovers(vault.root)).toEqual([]);
    });
  });

  it("leaves a folder whose name on disk is not Unicode, with a refusal", async () => {
    const vault = temporaryVault({ "d/a.md": "a" });
    const odd = Buffer.concat([Buffer.from(`${at(vault, "d")}/caf`), Buffer.from([0xe9, 0x2e])]);
    writeFileSync(odd, "latin1");
    expect(await codeOf(async () => remove(vault, "d"))).not.toBe("done");
    expect(readFileSync(odd, "utf8")).toBe("latin1");
    expect(readFileSync(at(vault, "d/a.md"), "utf8")).toBe("a");
    expect(await logOf(vault)).toEqual([]);
  });
});
