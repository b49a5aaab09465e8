import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { codeOf, refusalOf } from "../../testing/expected-error.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { findClientFile, writeClientFile } from "./client-file.ts";

function newFile(text: string): string {
  const file = path.join(temporaryFolder(), "config.json");
  writeFileSync(file, text);
  return file;
}

/** Writes over what is there now. */
function write(file: string, text: string): string | null {
  return writeClientFile(file, findClientFile(file), text);
}

function read(file: string | null): string | null {
  return file === null ? null : readFileSync(file, "utf8");
}

describe("a client's file", () => {
  it("is made with its folders, for its owner alone", () => {
    const file = path.join(temporaryFolder(), "a", "b", "config.json");
    expect(write(file, "new")).toBeNull();
    expect(read(file)).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(["config.json"]);
  });

  it("is replaced with its permissions, and kept as it was beside itself", () => {
    const file = newFile("old");
    chmodSync(file, 0o640);
    const backup = write(file, "new");
    expect(backup).toBe(`${file}.coffre-backup`);
    expect([read(file), read(backup)]).toEqual(["new", "old"]);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(`${file}.coffre-backup`).mode & 0o777).toBe(0o640);
    expect(readdirSync(path.dirname(file))).toHaveLength(2);
  });

  it("never takes the place of an older backup, but is not kept twice", () => {
    const file = newFile("first");
    write(file, "second");
    expect(write(file, "first")).toBe(`${file}.coffre-backup-2`);
    expect(write(file, "third")).toBe(`${file}.coffre-backup`);
    expect(write(file, "fourth")).toBe(`${file}.coffre-backup-3`);
    const kept = ["", "-2", "-3"].map((end) => read(`${file}.coffre-backup${end}`));
    expect(kept).toEqual(["first", "second", "third"]);
  });

  it("is followed where a link leads to it, and the link stays", () => {
    const folder = temporaryFolder();
    const [dotfiles, link] = [path.join(folder, "dotfiles"), path.join(folder, "config.json")];
    mkdirSync(dotfiles);
    writeFileSync(path.join(dotfiles, "real.json"), "old");
    symlinkSync("dotfiles/real.json", link);
    expect(write(link, "new")).toBe(`${link}.coffre-backup`);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readlinkSync(link)).toBe("dotfiles/real.json");
    expect(read(path.join(dotfiles, "real.json"))).toBe("new");
    expect(lstatSync(`${link}.coffre-backup`).isSymbolicLink()).toBe(false);
    expect(readdirSync(dotfiles)).toEqual(["real.json"]);
  });
});

describe("a client's file is left as it is", () => {
  it("when another program changed it meanwhile", async () => {
    const file = newFile("old");
    const found = findClientFile(file);
    writeFileSync(file, "theirs");
    const refusal = await refusalOf(() => writeClientFile(file, found, "ours"));
    expect(refusal?.message).toBe(`Another program just changed ${file}. Run this again.`);
    expect(read(file)).toBe("theirs");
    expect(readdirSync(path.dirname(file))).toEqual(["config.json"]);
  });

  it("when another program made it meanwhile", async () => {
    const file = newFile("theirs");
    expect(await codeOf(() => writeClientFile(file, null, "ours"))).toBe("busy");
    expect(read(file)).toBe("theirs");
  });

  it("when its owner made it read-only, or its folder cannot be written to", async () => {
    const file = newFile("old");
    const folder = path.dirname(file);
    await asOrdinaryUser(folder, async () => {
      chmodSync(file, 0o444);
      expect(await codeOf(() => write(file, "new"))).toBe("no_permission");
      chmodSync(file, 0o644);
      chmodSync(folder, 0o555);
      expect(await codeOf(() => write(file, "new"))).toBe("no_permission");
      expect(await codeOf(() => write(path.join(folder, "a", "b"), "new"))).toBe("no_permission");
      chmodSync(folder, 0o755);
    });
    expect(read(file)).toBe("old");
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  it("when it is a folder, or a link to nothing", async () => {
    const folder = temporaryFolder();
    expect(await codeOf(() => findClientFile(folder))).toBe("not_a_file");
    const link = path.join(folder, "link");
    symlinkSync("nothing", link);
    expect((await refusalOf(() => findClientFile(link)))?.message).toBe(
      `${link} is a link to a file that does not exist.`,
    );
    expect(existsSync(path.join(folder, "nothing"))).toBe(false);
  });
});
