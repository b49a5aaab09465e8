import { describe, expect, it } from "vitest";

import { CannotMerge, merge } from "./merge.ts";
import { yamlFormat } from "./yaml-format.ts";

const PLACEMENT = {
  servers: "extensions",
  name: "coffre",
  entry: { name: "coffre", type: "stdio", cmd: "/bin/node", args: ["a", "--vault", "/my notes"] },
};

const BLOCK = `  coffre:
    name: coffre
    type: stdio
    cmd: /bin/node
    args:
      - a
      - --vault
      - /my notes
`;

const mergeYaml = (text: string): string => merge(text, PLACEMENT, yamlFormat).text;

describe("merging into YAML", () => {
  it("adds a map of servers where there is none", () => {
    expect(mergeYaml("")).toBe(`extensions:\n${BLOCK}`);
    expect(mergeYaml("a: 1 # mine\n")).toBe(`a: 1 # mine\nextensions:\n${BLOCK}`);
    expect(mergeYaml("a: 1")).toBe(`a: 1\nextensions:\n${BLOCK}`.trimEnd());
  });

  it("fills an empty one", () => {
    expect(mergeYaml("extensions: {}\nb: 2\n")).toBe(`extensions:\n${BLOCK}b: 2\n`);
  });

  it("adds a server after the others, as far in as they are, and keeps every comment", () => {
    const text = `# mine\nextensions:\n  other: # odd\n    cmd: y\n    envs: {}   # none\n# the end\nlast: 1\n`;
    const [before, after] = text.split("# the end");
    expect(mergeYaml(text)).toBe(`${before}${BLOCK}# the end${after}`);
  });

  it("adds after a text of several lines", () => {
    const text = `extensions:\n  other:\n    notes: |\n      one\n      two\nlast: 1\n`;
    expect(mergeYaml(text)).toBe(text.replace("last", `${BLOCK}last`));
  });

  it("replaces its own, and leaves the rest", () => {
    const text = `extensions:\n  coffre:\n    cmd: old\n    args: [x] # old\n  other:\n    cmd: y # mine\n`;
    const merged = merge(text, PLACEMENT, yamlFormat);
    expect(merged.previous).toEqual({ cmd: "old", args: ["x"] });
    expect(merged.text).toContain("\n  other:\n    cmd: y # mine\n");
    expect(merged.text).not.toContain("cmd: old");
    expect(mergeYaml(merged.text)).toBe(merged.text);
  });

  it.each([
    "extensions: {other: {cmd: y}}\n",
    "extensions: [a]\n",
    "extensions:\nb: 2\n",
    "- a\n",
    "a: &x {b: *x}\n\tc: 1\n",
  ])("leaves %j as it is", (text) => {
    expect(() => mergeYaml(text)).toThrow(CannotMerge);
  });
});
