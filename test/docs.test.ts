import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { toolsReference } from "../scripts/tools-reference.ts";
import { commandCalled } from "../src/cli/commands/all-commands.ts";
import { parseCommand, splitCommand } from "../src/cli/table/parse.ts";
import { pdfFile } from "../src/ingest/testing/pdf-file.ts";
import { temporaryFolder } from "../src/testing/temporary-vault.ts";

const ROOT = path.join(import.meta.dirname, "..");
const pages = [
  "README.md",
  ...readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join("docs", name)),
];

/** The lines for a shell on a page. */
function shellBlocks(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), "utf8");
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map(([, block = ""]) => block);
}

/** The words of each `coffre` command in some lines, as a shell hands them over. All other programs do nothing. */
function commandLines(block: string): string[][] {
  const script = `
    coffre() { printf '%s\\0' "$@" >&3; printf '\\n\\0' >&3; }
    command_not_found_handle() { return 0; }
    npm() { :; }; cp() { :; }; curl() { :; }; docker() { :; }; mkdir() { :; }; sudo() { :; }
    ${block.replaceAll("…", "")}`;
  const options = { cwd: temporaryFolder(), encoding: "utf8", env: {} } as const;
  const { output } = spawnSync("/bin/bash", ["-c", script], {
    ...options,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const words = (output[3] ?? "").split("\n\0");
  return words.slice(0, -1).map((line) => line.split("\0").slice(0, -1));
}

it("is what docs/tools.md says; npm run docs writes it again", () => {
  const written = readFileSync(new URL("../docs/tools.md", import.meta.url), "utf8");
  expect(written).toBe(toolsReference());
});

it("names every argument with what it takes", () => {
  const text = toolsReference();
  expect(text).toContain("| `queries` | list of text | yes |");
  expect(text).toContain('| `mode` | "fast" or "deep" |');
  expect(text).toContain("| `date_from` | text |");
  expect(text).not.toContain("undefined");
});

describe.each(pages)("%s", (page) => {
  it("shows only command lines that are understood", async () => {
    for (const block of shellBlocks(page)) {
      for (const argv of commandLines(block)) {
        const { name = "status", rest } = await splitCommand(argv, async () =>
          commandCalled("serve"),
        );
        const command = await commandCalled(name);
        expect(() => parseCommand(command, rest), argv.join(" ")).not.toThrow();
      }
    }
  });

  it("names only commands that exist", async () => {
    const text = readFileSync(path.join(ROOT, page), "utf8");
    const names = [...text.matchAll(/`coffre ([a-z]+)/gu)].map(([, name = ""]) => name);
    for (const name of new Set(names)) {
      expect((await commandCalled(name)).name, `coffre ${name}`).toBe(name);
    }
  });
});

it("finds the command lines of a page", () => {
  const lines = shellBlocks("README.md").flatMap(commandLines);
  expect(lines).toContainEqual(["search", "kiln electricity", "--limit", "3"]);
  expect(lines.length).toBeGreaterThan(10);
});

it("the README's commands work in the order they stand there", () => {
  const home = temporaryFolder();
  mkdirSync(path.join(home, "work"));
  writeFileSync(path.join(home, "work", "devis.pdf"), pdfFile([["Twelve hundred euros"]]));
  const block = shellBlocks("README.md").find((each) => each.includes("coffre init --demo")) ?? "";
  // A service stays, and a browser is not at hand.
  const lines = block.replaceAll(/^coffre (?:serve|open)\b.*$/gmu, "");
  const script = `set -e; coffre() { ${JSON.stringify(path.join(ROOT, "bin", "coffre"))} "$@"; }; ${lines}`;
  const env = { PATH: process.env["PATH"], HOME: home, COFFRE_VAULT: path.join(home, "notes") };
  const options = { cwd: path.join(home, "work"), encoding: "utf8", env } as const;
  const said = execFileSync("bash", ["-c", script], options);
  expect(said).toContain("sail-loft/changelog.md");
  expect(said).toContain("Undid ");
  expect(said).toContain("devis.pdf →");
});

it("the README's tree is that of the demo", () => {
  const home = temporaryFolder();
  const shown = readFileSync(path.join(ROOT, "README.md"), "utf8");
  const [, command = "", tree = ""] = /^\$ coffre (tree .*)\n([^`]*)```/mu.exec(shown) ?? [];
  const place = ["--vault", path.join(home, "notes"), "--state", path.join(home, "state")];
  const run = (...argv: string[]): string =>
    execFileSync(path.join(ROOT, "bin", "coffre"), [...argv, ...place], { encoding: "utf8" });
  run("init", "--demo", "--lang", "en");
  // Dates in names follow the calendar.
  const shape = (text: string): string =>
    text.replaceAll(/\d{4}-\d{2}-\d{2}/gu, "DATE").replaceAll(/\d{2}:\d{2}/gu, "TIME");
  expect(shape(run(...command.split(" ")))).toBe(shape(tree));
});
