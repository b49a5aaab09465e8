import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

const ROOT = path.join(import.meta.dirname, "..");
/** Lines that may not stand twice, one after the other. */
const RUN = 10;

function sources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")))
    .filter((file) => /\.tsx?$/u.test(file) && !/\.test\.|\/testing\//u.test(file));
}

interface Line {
  readonly text: string;
  readonly place: string;
}

/** Imports, comments and blank lines do not count. */
function linesOf(file: string): Line[] {
  const source = readFileSync(path.join(ROOT, file), "utf8");
  const withoutImports = source.replaceAll(/^(?:import|export) [^;]*? from "[^"]+";$/gmu, (found) =>
    found.replaceAll(/[^\n]/gu, ""),
  );
  return withoutImports
    .split("\n")
    .map((line, at) => ({ text: line.trim(), place: `${file}:${at + 1}` }))
    .filter(({ text }) => text !== "" && !/^(?:\/\/|\/?\*)/u.test(text));
}

/** `a.ts:10 = b.ts:40`, the beginnings of runs that stand in two places. */
function repeatedRuns(files: readonly string[]): string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const file of files) {
    const lines = linesOf(file);
    let isInRun = false;
    for (let at = 0; at + RUN <= lines.length; at += 1) {
      const run = lines
        .slice(at, at + RUN)
        .map(({ text }) => text)
        .join("\n");
      const place = lines[at]?.place ?? "";
      const known = seen.get(run);
      if (known !== undefined && !isInRun) found.push(`${known} = ${place}`);
      isInRun = known !== undefined;
      if (known === undefined) seen.set(run, place);
    }
  }
  return found;
}

it(`no ${RUN} lines stand twice in src and web`, () => {
  const files = [...sources("src"), ...sources("web")];
  expect(files.length).toBeGreaterThan(500);
  expect(repeatedRuns(files)).toEqual([]);
});
