import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../src/testing/temporary-vault.ts";

const ROOT = path.join(import.meta.dirname, "..");
const script = path.join(ROOT, "bin", "coffre");

/** A person's folder with a vault in `notes`, and a way to run programs there. */
function somewhere(): { folder: string; run: (program: string, ...argv: string[]) => string } {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "notes"));
  writeFileSync(path.join(folder, "notes", "a.md"), "The pump in the cellar\n");
  writeFileSync(path.join(folder, "devis.txt"), "Twelve hundred euros\n");
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, INIT_CWD: "", COFFRE_VAULT: "" };
  const run = (program: string, ...argv: string[]): string =>
    execFileSync(program, argv, { cwd: folder, encoding: "utf8", env });
  return { folder, run };
}

describe("bin/coffre", () => {
  it("runs in the folder one is in, so that relative paths work", () => {
    const { folder, run } = somewhere();
    expect(run(script, "tree", "--vault", "./notes")).toContain("a.md");
    expect(run(script, "ingest", "devis.txt", "--vault", "notes")).toContain("devis.txt →");
    expect(existsSync(path.join(folder, "notes", "bucket"))).toBe(true);
  });

  it("is found through links, absolute and relative", () => {
    const { folder, run } = somewhere();
    symlinkSync(script, path.join(folder, "absolute"));
    symlinkSync("absolute", path.join(folder, "relative"));
    expect(run("./relative", "--version")).toMatch(/^\d+\.\d+\.\d+/u);
  });
});

describe("npm run coffre", () => {
  it("takes relative paths from where npm was called", () => {
    const { folder, run } = somewhere();
    const npm = (...argv: string[]): string =>
      run("npm", "run", "--silent", "--prefix", ROOT, "coffre", "--", ...argv);
    npm("append", "a.md", "- [ ] call", "--bottom", "--vault", "./notes");
    expect(readFileSync(path.join(folder, "notes", "a.md"), "utf8")).toContain("- [ ] call");
  });
});
