import { readFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { callerOf, refusedWith, temporaryVault, textOf } from "../testing/temporary-vault.ts";
import type { CallResult } from "./call-result.ts";
import { editProperties } from "./edit-properties.ts";

const NOTE = `---
# of the person
status: open   # since May
tags:
  - house
  - "été"
due: 2026-12-01
created: 2026-01-01T08:00:00
nested: { a: [1, 2] }
---

# Plan

status: open
`;

function setup(text = NOTE) {
  const vault = temporaryVault({ "n.md": text });
  const { update } = callerOf(vault);
  return {
    bytes: () => readFileSync(path.join(vault.root, "n.md"), "utf8"),
    edit: async (properties: unknown, more: object = {}): Promise<CallResult> => {
      await update("read", { paths: "n.md" });
      return update("edit", { path: "n.md", properties, ...more });
    },
  };
}

describe("edit: frontmatter keys", () => {
  it("sets and removes keys, and changes no other byte", async () => {
    const { edit, bytes } = setup();
    const result = await edit({ set: { status: "done", priority: 2 }, remove: ["due", "missing"] });
    expect(bytes()).toBe(
      NOTE.replace("status: open   #", "status: done   #")
        .replace("due: 2026-12-01\n", "")
        .replace("2] }\n", "2] }\npriority: 2\n"),
    );
    expect(textOf(result)).toContain("3  | status: done   # since May");
  });

  it("takes lines as well, to the letter", async () => {
    const { edit, bytes } = setup();
    await edit({ set: ["version: 1.10", "tags: [a, b]", "about: Plan: part 2", "see: [[note]]"] });
    expect(bytes()).toContain("tags:\n  - a\n  - b\ndue:");
    expect(bytes()).toContain('version: 1.10\nabout: "Plan: part 2"\nsee: "[[note]]"\n---');
  });

  it("keeps types apart", async () => {
    const { edit, bytes } = setup("x\n");
    const set = { a: "true", b: true, c: null, d: "two\nlines", e: ["1", 2], f: { g: [] }, h: [] };
    await edit({ set });
    const [, yaml = ""] = bytes().split("---\n");
    expect(parse(yaml)).toEqual(set);
    expect(bytes()).toMatch(/\n---\n\nx\n$/u);
  });

  it("makes a block in the line endings of the file", async () => {
    const { edit, bytes } = setup("# A\r\ntext\r\n");
    await edit({ set: ["status: open"] });
    expect(bytes()).toBe("---\r\nstatus: open\r\n---\r\n\r\n# A\r\ntext\r\n");
  });

  it("replaces a value of several lines by one, and its comment stays", async () => {
    const { edit, bytes } = setup("---\ntags: # mine\n  - a\n  - b\nnext: 1\n---\nx\n");
    await edit({ set: { tags: "none" } });
    expect(bytes()).toBe("---\ntags: none # mine\nnext: 1\n---\nx\n");
  });

  it("is one change with a passage of the text", async () => {
    const { edit, bytes } = setup();
    const result = await edit(
      { set: { status: "done" } },
      { section: "Plan", new_content: "End." },
    );
    expect(bytes()).toBe(
      NOTE.replace("open   #", "done   #").replace("\nstatus: open\n", "\nEnd.\n"),
    );
    expect(textOf(result)).toContain("14 | End.");
  });

  it.each([
    ["keys of the program", { set: { updated: "x" } }, "protected"],
    ["keys of the program, to remove", { remove: ["created"] }, "protected"],
    ["nothing to do", { set: {}, remove: [] }, "invalid_argument"],
    ["a key both set and removed", { set: { a: 1 }, remove: ["a"] }, "invalid_argument"],
    ["a line without a key", { set: ["done"] }, "invalid_argument"],
    ["an unknown argument", { add: { a: 1 } }, "invalid_argument"],
  ])("refuses %s", async (_, properties, code) => {
    const { edit, bytes } = setup();
    expect(refusedWith(await edit(properties))).toBe(code);
    expect(bytes()).toBe(NOTE);
  });

  it.each([
    ["TOML", "+++\ntitle = 1\n+++\nx\n"],
    ["broken YAML", "---\na: [\n---\nx\n"],
    ["braces", "---\n{ a: 1 }\n---\nx\n"],
    ["a value that others refer to", "---\na: &n 1\nb: *n\n---\nx\n"],
  ])("leaves %s alone, and says why", async (_, text) => {
    const { edit, bytes } = setup(text);
    const result = await edit({ set: { a: 2 } });
    expect(refusedWith(result)).toBe("conflict");
    expect(textOf(result)).toContain("cannot be changed key by key");
    expect(bytes()).toBe(text);
  });

  it("a person's own value under a name of the program is theirs", async () => {
    const { edit, bytes } = setup('---\nupdated: "[[2021-03-05]]"\n---\nx\n');
    await edit({ set: { updated: "[[2022-01-01]]" } });
    expect(bytes()).toBe('---\nupdated: "[[2022-01-01]]"\n---\nx\n');
  });

  it("says what was asked and nothing else, whatever the keys and values", () => {
    const key = fc.stringMatching(/^[a-zé][a-z0-9 _-]{0,8}[a-z0-9]$/u);
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 4 }),
    );
    const keys = fc.dictionary(key, value, { maxKeys: 5 });
    fc.assert(
      fc.property(keys, keys, fc.constantFrom("\n", "\r\n"), (first, second, ending) => {
        fc.pre(Object.keys(first).length > 0 && Object.keys(second).length > 0);
        const body = `text${ending}`;
        const made = editProperties(body, { set: first }, "n.md");
        const changed = editProperties(made, { set: second }, "n.md");
        expect(changed.endsWith(`---${ending}${ending}${body}`)).toBe(true);
        expect(changed.replaceAll("\r\n", "").includes("\n")).toBe(ending === "\n");
        expect(parse(changed.split(/^---\r?$/mu)[1] ?? "")).toEqual({ ...first, ...second });
        const gone = editProperties(changed, { remove: Object.keys(second) }, "n.md");
        const left = Object.entries(first).filter(([name]) => !Object.hasOwn(second, name));
        expect(parse(gone.split(/^---\r?$/mu)[1] ?? "") ?? {}).toEqual(Object.fromEntries(left));
      }),
      { numRuns: 500 },
    );
  });
});
