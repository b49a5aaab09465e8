import { describe, expect, it } from "vitest";

import { CannotMerge, merge, type Merged } from "./merge.ts";
import { tomlFormat } from "./toml-format.ts";

const PLACEMENT = {
  servers: "mcp_servers",
  name: "coffre",
  entry: { command: "node", args: ["main.js"] },
};
const TABLE = `[mcp_servers.coffre]
command = "node"
args = [ "main.js" ]
`;

function mergeToml(text: string): Merged {
  return merge(text, PLACEMENT, tomlFormat);
}

describe("a server added to TOML", () => {
  it("makes a file out of nothing", () => {
    expect(mergeToml("")).toEqual({ text: TABLE, previous: undefined });
  });

  it("comes last, after an empty line", () => {
    const before = `model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n`;
    expect(mergeToml(before)).toEqual({ text: `${before}\n${TABLE}`, previous: undefined });
  });

  it("keeps the mark at the beginning, the line endings, and the end without one", () => {
    const before = `\uFEFFmodel = "x"\r\n[a]`;
    const table = TABLE.trimEnd().replaceAll("\n", "\r\n");
    expect(mergeToml(before).text).toBe(`${before}\r\n\r\n${table}`);
  });

  it("stands beside a server whose name begins like its own", () => {
    const before = `[mcp_servers.coffre-search]\ncommand = "y"\n`;
    expect(mergeToml(before).text).toBe(`${before}\n${TABLE}`);
  });

  it("stands beside servers written within their list, or by dotted keys", () => {
    for (const before of [`[mcp_servers]\na = {url = "x"}\n`, `mcp_servers.a.url = "x"\n`]) {
      expect(mergeToml(before).text).toBe(`${before}\n${TABLE}`);
    }
  });

  it("is not looked for in texts and lists over several lines", () => {
    const before = `a = """\n[mcp_servers.coffre]\n"""\nb = [\n  [1],\n]\n`;
    expect(mergeToml(before).text).toBe(`${before}\n${TABLE}`);
  });
});

describe("a server that is in the TOML already", () => {
  it.each([
    `["mcp_servers" . 'coffre'] # mine\nargs = ["main.js"]\ncommand = 'node'\n`,
    `mcp_servers = { coffre = { command = "node", args = ["main.js"] } }`,
    `mcp_servers.coffre.command = "node"\nmcp_servers.coffre.args = ["main.js"]\n`,
  ])("is left alone when it is the same, however it is written: %j", (text) => {
    expect(mergeToml(text)).toEqual({ text, previous: PLACEMENT.entry });
  });

  it("is replaced when it differs, with the tables below it, and nothing else", () => {
    const before = `# before
[mcp_servers.coffre] # mine
# within
command = "old"
note = """
# not a comment """

# of the next
[z]
big = 99999999999999999999

[mcp_servers.coffre.env]
KEY = "v"

# of the last
[[mcp_servers_too]]
[mcp_servers.coffre.tools.read]
approval = true
# the end`;
    expect(mergeToml(before)).toEqual({
      previous: {
        command: "old",
        note: "# not a comment ",
        env: { KEY: "v" },
        tools: { read: { approval: true } },
      },
      text: `# before
${TABLE}
# of the next
[z]
big = 99999999999999999999


# of the last
[[mcp_servers_too]]
# the end`,
    });
  });

  it("is replaced at the end of a file that has no last line ending", () => {
    const before = `a = 1\n[mcp_servers.coffre]\ncommand = "old"`;
    expect(mergeToml(before).text).toBe(`a = 1\n${TABLE.trimEnd()}`);
  });

  it("is replaced where only a table below it stands", () => {
    const before = `[mcp_servers.coffre.env]\nKEY = "v"\n\n[z]\n`;
    expect(mergeToml(before).text).toBe(`${TABLE}\n[z]\n`);
  });
});

describe("TOML that cannot be added to", () => {
  it("is told with the line where it is wrong", () => {
    expect(() => mergeToml(`a = 1\nb = \n`)).toThrow(
      new CannotMerge("line 2 is not valid TOML (invalid value)"),
    );
    expect(() => mergeToml(`[a]\n[a]\n`)).toThrow("line 2 is not valid TOML (trying to redefine");
  });

  it.each([
    `mcp_servers = { other = { url = "x" } }`,
    `mcp_servers = { coffre = { command = "old" } }\n`,
    `[mcp_servers]\ncoffre = { command = "old" }\n`,
    `[mcp_servers]\ncoffre.command = "old"\n`,
    `mcp_servers.coffre.command = "old"\n[mcp_servers.coffre.env]\nA = "b"\n`,
  ])("is refused rather than guessed at: %j", (text) => {
    expect(() => mergeToml(text)).toThrow(
      new CannotMerge("its servers are written in a way that coffre cannot add to"),
    );
  });

  it.each([`mcp_servers = 1\n`, `[[mcp_servers]]\n`, `mcp_servers = 2026-01-01\n`])(
    "has something else in the place of servers: %j",
    (text) => {
      expect(() => mergeToml(text)).toThrow(CannotMerge);
    },
  );
});
