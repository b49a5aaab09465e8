import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { expect, it } from "vitest";

import { countListings } from "../testing/count-listings.ts";
import { temporaryFolder, temporaryVault } from "../testing/temporary-vault.ts";
import { FolderNames } from "./folder-names.ts";

const numbered = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`d/n${at}.md`, `${at}\n`]));

it.each([20, 400])(
  "a folder of %i files is not listed again when each of them is measured",
  (count) => {
    const files = numbered(count);
    const vault = temporaryVault(files);
    vault.totals.scan();
    const listings = countListings();
    for (const file of Object.keys(files)) vault.totals.refresh(file);
    expect(listings()).toBe(0);
    expect(vault.totals.get("d")).toMatchObject({ files: count });
  },
);

it("a folder is listed once for all the names that are missing in it", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "e\u0301te\u0301.md"), "");
  const names = new FolderNames();
  expect(names.find(folder, "a.md")).toBeNull();
  // Until then a change could have the same time as the last one.
  await wait(150);
  expect(names.find(folder, "b.md")).toBeNull();
  const listings = countListings();
  for (let at = 0; at < 100; at += 1) expect(names.find(folder, `${at}.md`)).toBeNull();
  expect(names.find(folder, "été.md")).toBe("e\u0301te\u0301.md");
  expect(listings()).toBe(0);
});

it("names that are added, renamed and removed are noticed at once", () => {
  const folder = temporaryFolder();
  const names = new FolderNames();
  for (let round = 0; round < 50; round += 1) {
    expect(names.find(folder, "été.md")).toBeNull();
    writeFileSync(path.join(folder, "e\u0301te\u0301.md"), "");
    expect(names.find(folder, "été.md")).toBe("e\u0301te\u0301.md");
    renameSync(path.join(folder, "e\u0301te\u0301.md"), path.join(folder, "été.md"));
    expect(names.find(folder, "été.md")).toBe("été.md");
    rmSync(path.join(folder, "été.md"));
  }
});

it("prefers the same name to one that is shown so, and keeps cases apart", () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, "e\u0301"));
  mkdirSync(path.join(folder, "é"));
  mkdirSync(path.join(folder, "State"));
  const names = new FolderNames();
  expect(names.find(folder, "é")).toBe("é");
  expect(names.find(folder, "State")).toBe("State");
  expect(names.find(folder, "STATE")).toBeNull();
  expect(names.find(folder, "x".repeat(300))).toBeNull();
});
