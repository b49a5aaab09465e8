import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { processEnvironment } from "../../config.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { allCommands } from "../commands/all-commands.ts";
import { shellQuote } from "../system/shell-quote.ts";
import { coffre, mainFile, temporaryPlace } from "../testing/cli.ts";

const files = {
  "projects/garden/state.md": "x\n",
  "projects/two words.md": "x\n",
  "profile.md": "x\n",
  "été/it's 🌱.md": "x\n",
  "star*.md": "x\n",
};

/** What bash offers for these words, the last being the one before the cursor. */
async function offered(
  words: readonly string[],
  { root = "", folder = temporaryFolder() } = {},
): Promise<string[]> {
  const script = path.join(folder, "completion.bash");
  const program = path.join(folder, "coffre");
  writeFileSync(script, (await coffre(["completion", "bash"])).stdout);
  writeFileSync(program, `#!/bin/sh\nexec ${shellQuote(process.execPath)} ${mainFile} "$@"\n`);
  chmodSync(program, 0o755);
  const all = [program, ...words].map(shellQuote).join(" ");
  const bash = `
    set -u; source ${shellQuote(script)}
    COMP_WORDS=(${all}); COMP_CWORD=${words.length}
    _coffre
    printf '%s\\n' "\${COMPREPLY[@]+"\${COMPREPLY[@]}"}"`;
  const printed = execFileSync("bash", ["--norc", "-c", bash], {
    encoding: "utf8",
    cwd: folder,
    env: {
      PATH: processEnvironment()["PATH"],
      COFFRE_VAULT: root,
      HOME: folder,
      LC_ALL: "C.UTF-8",
    },
  });
  return printed.split("\n").filter((line) => line !== "");
}

describe("completion in bash", () => {
  it("offers the commands that begin so", async () => {
    expect(await offered(["re"])).toEqual(["read", "recall", "remember", "restore", "reindex"]);
    const all = (await allCommands())
      .filter(({ hidden }) => hidden !== true)
      .map(({ name }) => name);
    expect(await offered([""])).toEqual(all);
    expect(await offered(["--vault", "/x", "st"])).toEqual(["status"]);
  });

  it("offers the options of the command, and those of all", async () => {
    expect(await offered(["search", "--"])).toEqual([
      "--mode",
      "--scope",
      "--from",
      "--to",
      "--limit",
      "--vault",
      "--state",
      "--json",
      "--help",
    ]);
    expect(await offered(["search", "roof", "--sc"])).toEqual(["--scope"]);
    expect(await offered(["--ver"])).toEqual(["--version"]);
  });

  it("offers the values that an option or argument can have", async () => {
    expect(await offered(["search", "--mode", ""])).toEqual(["fast", "deep"]);
    // Bash makes three words of --mode=d, and two of --mode=.
    expect(await offered(["search", "--mode", "=", "d"])).toEqual(["deep"]);
    expect(await offered(["search", "--mode", "="])).toEqual(["fast", "deep"]);
    expect(await offered(["init", "--lang", "f"])).toEqual(["fr"]);
    expect(await offered(["completion", ""])).toEqual(["bash", "zsh", "fish"]);
    expect(await offered(["help", "ed"])).toEqual(["edit"]);
    expect(await offered(["tree", "--depth", ""])).toEqual([]);
  });

  it("offers paths of the vault, as deep as they are typed", async () => {
    const { root } = temporaryPlace(files);
    expect(await offered(["read", "pro"], { root })).toEqual(["projects/", "profile.md"]);
    expect(await offered(["move", "a", "vault/projects/"], { root })).toEqual([
      "vault/projects/garden/",
      "vault/projects/two words.md",
    ]);
    expect(await offered(["log", "--path", "prof"], { root })).toEqual(["profile.md"]);
    expect(await offered(["read", "--json", "prof"], { root })).toEqual(["profile.md"]);
  });

  it("offers names with spaces, quotes, stars and beyond ASCII whole, however they are typed", async () => {
    const { root } = temporaryPlace(files);
    const two = ["projects/two words.md"];
    expect(await offered(["read", String.raw`projects/two\ w`], { root })).toEqual(two);
    expect(await offered(["read", '"projects/two w'], { root })).toEqual(two);
    expect(await offered(["read", "été/it"], { root })).toEqual(["été/it's 🌱.md"]);
    expect(await offered(["read", "star"], { root })).toEqual(["star*.md"]);
  });

  it("looks in the vault that the line names", async () => {
    const { root } = temporaryPlace(files);
    expect(await offered(["--vault", root, "read", "prof"])).toEqual(["profile.md"]);
    expect(await offered(["read", "--vault", "=", root, "prof"])).toEqual(["profile.md"]);
  });

  it("offers folders and files of this machine where they are meant", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "notes here"));
    writeFileSync(path.join(folder, "notes.txt"), "");
    expect(await offered(["tree", "--vault", "no"], { folder })).toEqual(["notes here"]);
    const found = await offered(["edit", "a.md", "--old-file", "no"], { folder });
    expect(found.toSorted()).toEqual(["notes here", "notes.txt"]);
  });

  it("offers nothing, silently, without a vault or outside it", async () => {
    expect(await offered(["read", "x"], { root: "/no/such/folder" })).toEqual([]);
    const { root } = temporaryPlace(files);
    expect(await offered(["read", "../"], { root })).toEqual([]);
    expect(await offered(["read", "nowhere/"], { root })).toEqual([]);
    expect(await offered(["nonsense", ""], { root })).toEqual([]);
  });
});
