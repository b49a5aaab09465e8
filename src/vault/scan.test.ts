import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryVault } from "../testing/temporary-vault.ts";

describe("a scan", () => {
  it("names the files that a walk lists, with their signatures, and every folder", async () => {
    const vault = temporaryVault({
      "a.md": "a\n",
      "d/e/f.md": "f\n",
      "d/.caché/x.md": "x\n",
      ".git/config": "x\n",
      "de\u0301ja.md": "NFD\n",
      "été.md": "NFC\n",
      "e\u0301te\u0301.md": "le même en NFD\n",
    });
    mkdirSync(path.join(vault.root, "vide"));
    symlinkSync("a.md", path.join(vault.root, "lien.md"));
    symlinkSync("d", path.join(vault.root, "dossier"));
    symlinkSync("/etc/hosts", path.join(vault.root, "dehors.md"));
    const scanned = await vault.scan();
    const files = scanned.flatMap((each) => (each.kind === "file" ? [each] : []));
    const walked = (await Array.fromAsync(vault.walk(""))).map((listed) => listed.path);
    expect(files.map((file) => file.path).toSorted()).toEqual(walked.toSorted());
    for (const { path: file, signature } of files)
      expect(signature).toBe((await vault.get(file)).version);
    const folders = scanned.flatMap((each) => (each.kind === "folder" ? [each.path] : []));
    expect(folders.toSorted()).toEqual(["d", "d/e", "vide"]);
    expect(files.filter((file) => file.isLink).map((file) => file.path)).toEqual(["lien.md"]);
  });

  it("tells what a killed process left", async () => {
    const vault = temporaryVault({ "d/.coffre-tmp-1": "x", "a.md": "a\n" });
    expect(await vault.scan()).toContainEqual({
      kind: "leftover",
      path: "d/.coffre-tmp-1",
    });
  });

  it("refuses a vault that is gone", async () => {
    const vault = temporaryVault({ "a.md": "a\n" });
    rmSync(vault.root, { recursive: true });
    await expect(vault.scan()).rejects.toThrow(/gone or cannot be read/u);
  });
});
