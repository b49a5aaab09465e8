import { describe, expect, it } from "vitest";

import { defineCommand, type Command } from "./command.ts";
import { serve } from "../commands/serve.ts";
import { parseCommand, splitCommand } from "./parse.ts";

const sample = defineCommand({
  name: "sample",
  summary: "For these tests",
  positionals: {
    path: { kind: "one", label: "PATH", summary: "The file" },
    text: { kind: "text", label: "TEXT", summary: "The text" },
  },
  options: {
    old: { kind: "text", label: "TEXT", summary: "Text" },
    new: { kind: "text", label: "TEXT", summary: "Text" },
    depth: { kind: "number", label: "N", summary: "Number" },
    scope: { kind: "list", label: "GLOB", summary: "Several" },
    mode: { kind: "text", label: "MODE", summary: "Choice", choices: ["fast", "deep"] },
    force: { kind: "flag", summary: "Flag" },
  },
  examples: [],
  run: async () => 0,
});

function parse(...words: string[]): { texts: Record<string, readonly string[]>; flags: string[] } {
  const { texts, flags } = parseCommand(sample, words);
  return { texts: Object.fromEntries(texts), flags: [...flags] };
}

describe("the words after a command", () => {
  it("are arguments and options in any order", () => {
    expect(parse("--force", "a.md", "--old", "x", "some text", "--new=y")).toEqual({
      texts: { path: ["a.md"], text: ["some text"], old: ["x"], new: ["y"] },
      flags: ["force"],
    });
  });

  it.each([
    "- [ ] call the roofer",
    "-5",
    "---\ntitle: x\n---",
    "--- a rule",
    "-",
    "-paint roof",
    "– dash",
  ])("may be text that begins with a dash: %j", (text) => {
    expect(parse("a.md", text).texts["text"]).toEqual([text]);
    expect(parse("a.md", "--old", text, "--new", text).texts).toMatchObject({
      old: [text],
      new: [text],
    });
  });

  it("are all arguments after two dashes", () => {
    expect(parse("--", "a.md", "--force")).toEqual({
      texts: { path: ["a.md"], text: ["--force"] },
      flags: [],
    });
  });

  it("keep an empty text as a text", () => {
    expect(parse("a.md", "--new", "", "--old=").texts).toMatchObject({ new: [""], old: [""] });
  });

  it("collect an option that may be repeated", () => {
    expect(parse("a.md", "--scope", "a", "--scope=b").texts["scope"]).toEqual(["a", "b"]);
  });

  it.each([
    [["a.md", "--old"], "--old needs a value."],
    [["a.md", "--old", "--new", "x"], "--old needs a value."],
    [["a.md", "--force=yes"], "--force takes no value."],
    [["a.md", "--old", "x", "--old", "y"], "--old is given 2 times; give it once."],
    [["a.md", "--depth", "two"], '--depth takes a whole number, not "two".'],
    [["a.md", "--depth", "1.5"], '--depth takes a whole number, not "1.5".'],
    [["a.md", "--mode", "slow"], '--mode takes fast or deep, not "slow".'],
    [["a.md", "--focre"], "There is no option --focre. Did you mean --force?"],
    [["a.md", "-x"], "There is no option -x. For text that begins with a dash, put -- before it."],
    [[], "PATH is missing: the file."],
    [["a.md", "b", "c"], '"c" is one argument too many; put quotes around text with spaces.'],
  ])("are refused when they are %j", (words, message) => {
    expect(() => parse(...words)).toThrow(message);
  });

  it("need not be right when help is asked for", () => {
    expect(parse("--help").flags).toEqual(["help"]);
    expect(parse("a", "b", "c", "-h").flags).toEqual(["help"]);
  });
});

describe("the command's name", () => {
  const usual = async (): Promise<Command> => serve;

  it("may come after options for every command, and their values", async () => {
    expect(await splitCommand(["--vault", "tree", "--json", "read", "a.md"], usual)).toEqual({
      name: "read",
      rest: ["--vault", "tree", "--json", "a.md"],
    });
    expect(await splitCommand(["--vault=x", "read"], usual)).toEqual({
      name: "read",
      rest: ["--vault=x"],
    });
  });

  it("may be missing", async () => {
    expect(await splitCommand(["--json"], usual)).toEqual({ name: undefined, rest: ["--json"] });
    expect(await splitCommand(["--port", "8080", "--json"], usual)).toEqual({
      name: "serve",
      rest: ["--port", "8080", "--json"],
    });
    expect(await splitCommand(["--help"], usual)).toEqual({ name: undefined, rest: ["--help"] });
  });

  it("does not come after the command's own options", async () => {
    await expect(splitCommand(["--depth", "2", "tree"], usual)).rejects.toThrow(
      "There is no option --depth here",
    );
  });
});
