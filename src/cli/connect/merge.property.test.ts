import { isDeepStrictEqual } from "node:util";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { jsonFormat } from "./json-format.ts";
import { merge, type ConfigFormat } from "./merge.ts";
import type { Settings } from "./settings.ts";
import { tomlFormat } from "./toml-format.ts";

const ENTRY = { command: "C:\\Program Files\\node", args: ['it\'s "main".js', "--vault", "é\t\n"] };
const RUNS = { numRuns: 300 };

/** How a file may begin and how its lines may end. */
const dress = fc.record({
  mark: fc.constantFrom("", "\uFEFF"),
  ending: fc.constantFrom("\n", "\r\n"),
});

function dressed(text: string, { mark, ending }: { mark: string; ending: string }): string {
  return mark + text.replaceAll("\n", ending);
}

function settingsIn(text: string, format: ConfigFormat): Settings {
  return format.parse(text.replace(/^\uFEFF/u, ""));
}

/** Whether `text` comes out of `longer` by leaving characters out. */
function isWithin(text: string, longer: string): boolean {
  let at = 0;
  for (const character of text) {
    at = longer.indexOf(character, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

describe("any JSON with comments", () => {
  const placement = { servers: "mcpServers", name: "coffre", entry: ENTRY };
  const key = fc.string().filter((name) => name !== "mcpServers");
  const settings = fc
    .record({
      first: fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })),
      servers: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))),
      last: fc.dictionary(key, fc.jsonValue({ maxDepth: 3 })),
    })
    .map(({ first, servers, last }) => ({
      before: { ...first, ...(servers === null ? {} : { mcpServers: servers }), ...last },
      servers: servers ?? {},
    }));
  const indent = fc.constantFrom("", " ", "   ", "\t", "            ");
  const comment = fc.constantFrom("", "", "  ", " // a, b }", " /* {, */", " /* x */ // y", "\n\n");

  /** Comments at the ends of lines, and commas after the last items, where JSON has no line breaks of its own. */
  function commented(json: string, comments: readonly string[], isTrailing: boolean): string {
    const lines = json.split("\n");
    return lines
      .map((line, at) => {
        const isLast = /^\s*[\]}]/u.test(lines[at + 1] ?? "") && !/[[{]$/u.test(line);
        const comma = isTrailing && isLast ? "," : "";
        return line + comma + (comments[at % Math.max(1, comments.length)] ?? "");
      })
      .join("\n");
  }

  it("says the same after a server is added, keeps every character, and is then left alone", () => {
    const document = fc.record({
      settings,
      indent,
      dress,
      isTrailing: fc.boolean(),
      comments: fc.array(comment, { maxLength: 7 }),
    });
    fc.assert(
      fc.property(document, ({ settings: { before, servers }, ...style }) => {
        const json = JSON.stringify(before, null, style.indent);
        const text = dressed(commented(json, style.comments, style.isTrailing), style.dress);
        const merged = merge(text, placement, jsonFormat).text;
        const expected = { ...before, mcpServers: { ...servers, coffre: ENTRY } };
        // As text, which shows the order too.
        expect(JSON.stringify(settingsIn(merged, jsonFormat))).toBe(JSON.stringify(expected));
        if (!Object.hasOwn(servers, "coffre")) expect(isWithin(text, merged)).toBe(true);
        expect(merge(merged, placement, jsonFormat).text).toBe(merged);
      }),
      RUNS,
    );
  });
});

describe("any entry that starts coffre mcp", () => {
  const foreign = fc.dictionary(
    fc
      .string()
      .filter((key) => !["type", "source", "command", "cmd", "args", "name"].includes(key)),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const option = fc.constantFrom(
    ["--preview"],
    ["--write", "projects/x/**"],
    ["--max-tokens", "9000"],
    ["--unknown=1"],
  );

  it("keeps every option and setting of a person through a change of the vault", () => {
    const entry = { command: "node", args: ["main.js", "mcp", "--vault", "/new"] };
    const placement = { servers: "mcpServers", name: "coffre", entry };
    const someone = fc.tuple(foreign, fc.array(option), fc.array(option));
    fc.assert(
      fc.property(someone, ([settings, before, after]) => {
        const vault = ["--vault", "/old"];
        const args = ["old.js", "mcp", ...before.flat(), ...vault, ...after.flat()];
        const old = { ...settings, command: "old", args };
        const text = JSON.stringify({ mcpServers: { coffre: old } });
        const merged = merge(text, placement, jsonFormat).text;
        const expected = {
          ...settings,
          command: "node",
          args: [...entry.args, ...before.flat(), ...after.flat()],
        };
        expect(settingsIn(merged, jsonFormat)).toEqual({ mcpServers: { coffre: expected } });
        expect(merge(merged, placement, jsonFormat).text).toBe(merged);
      }),
      RUNS,
    );
  });
});

describe("any TOML", () => {
  const placement = { servers: "mcp_servers", name: "coffre", entry: ENTRY };
  const value = fc.oneof(
    fc.string().map((text) => JSON.stringify(text).replaceAll("\u007F", String.raw`\u007F`)),
    fc.constantFrom(
      "1",
      "-0.0",
      "inf",
      "1979-05-27T07:32:00Z",
      "07:32:00",
      "99999999999999999999",
      "'''\n[mcp_servers.coffre]\n'''",
      '"""\n# x\n[a]\ncommand = 1\n"""',
      "[\n  [1], # one\n  [\n  ],\n]",
      "{ coffre = { command = 1 } }",
    ),
  );
  const idle = fc.constantFrom("", "\n", "# a comment\n", "  # [mcp_servers.coffre]\n\n");
  const body = fc
    .array(fc.tuple(value, fc.constantFrom("", " # [x]")), { maxLength: 3 })
    .map((pairs) => pairs.map(([held, end], at) => `key_${at} = ${held}${end}\n`).join(""));
  const name = fc.constantFrom(
    "[NAME]",
    "  [ NAME ] # table",
    "[projects.'/home/[NAME]']",
    "[mcp_servers.NAME]",
    '[mcp_servers."NAME.coffre"]',
    "[NAME.mcp_servers.coffre]",
    "[[NAME]]",
  );
  const tables = fc
    .array(fc.tuple(name, body, idle), { maxLength: 6 })
    .map((list) =>
      list.map(([header, held, end], at) => `${header.replace("NAME", `t${at}`)}\n${held}${end}`),
    );
  const own = fc.constantFrom(
    `[mcp_servers.coffre]\ncommand = "old"\n`,
    `[mcp_servers.coffre] # mine\n\n# within\ncommand = """\nold\n# old"""\n[mcp_servers.coffre.env]\nA = "b"\n`,
    `["mcp_servers"."coffre"]\n`,
  );

  it("is continued by a server, and then left alone", () => {
    fc.assert(
      fc.property(body, idle, tables, dress, (root, end, list, style) => {
        const text = dressed(root + end + list.join(""), style);
        fc.pre(text.trim() !== "");
        const merged = merge(text, placement, tomlFormat).text;
        expect(merged.startsWith(text)).toBe(true);
        const before = settingsIn(text, tomlFormat);
        const servers: object = Object(before["mcp_servers"] ?? {});
        const expected = { ...before, mcp_servers: { ...servers, coffre: ENTRY } };
        expect(isDeepStrictEqual(settingsIn(merged, tomlFormat), expected)).toBe(true);
        expect(merge(merged, placement, tomlFormat).text).toBe(merged);
      }),
      RUNS,
    );
  });

  it("keeps what stands before and after a server that is replaced", () => {
    fc.assert(
      fc.property(body, tables, own, idle, dress, fc.nat(6), (root, list, old, end, style, at) => {
        const before = root + list.slice(0, at).join("");
        const after = end + list.slice(at).join("");
        const text = dressed(before + old + after, style);
        const table = tomlFormat.render(placement);
        expect(merge(text, placement, tomlFormat).text).toBe(
          dressed(before + table + after, style),
        );
      }),
      RUNS,
    );
  });
});
