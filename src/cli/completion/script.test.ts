import { describe, expect, it } from "vitest";

import { allCommands } from "../commands/all-commands.ts";
import { coffre } from "../testing/cli.ts";

const shown = (await allCommands()).filter(({ hidden }) => hidden !== true);

describe.each(["bash", "zsh", "fish"])("the completion script of %s", (shell) => {
  it("knows every command and every option, and asks for paths", async () => {
    const { code, stdout } = await coffre(["completion", shell]);
    expect(code).toBe(0);
    for (const { name, options } of shown) {
      expect(stdout).toMatch(new RegExp(`\\b${name}\\b`, "u"));
      for (const option of Object.keys(options)) {
        expect(stdout).toMatch(new RegExp(`(?:--|-l )${option}\\b`, "u"));
      }
    }
    expect(stdout).toContain("__complete-paths");
  });

  it("has as many closing quotes as opening ones", async () => {
    const { stdout } = await coffre(["completion", shell]);
    const odd = stdout
      .split("\n")
      .filter((line) => !line.startsWith("#"))
      .map((line) => line.replaceAll(/\\["']/gu, ""))
      .filter((line) => (line.match(/'/gu) ?? []).length % 2 === 1);
    expect(odd).toEqual([]);
  });
});

describe("coffre completion", () => {
  it("exits 2 for another shell, or none", async () => {
    const { code, stderr } = await coffre(["completion", "tcsh"]);
    expect(code).toBe(2);
    expect(stderr).toContain('SHELL takes bash or zsh or fish, not "tcsh".');
    expect((await coffre(["completion"])).code).toBe(2);
  });
});
