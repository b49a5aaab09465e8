import { expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../testing/temporary-vault.ts";
import { countTokens } from "../text/tokens.ts";
import { allTools, inputSchema, toolsOf } from "./registry.ts";

it("gives each profile its tools, as the availability table says", () => {
  const table = Object.fromEntries(allTools.map((tool) => [tool.name, tool.profiles]));
  expect(table).toEqual({
    tree: ["update", "search"],
    read: ["update", "search"],
    search: ["update", "search"],
    concat: ["search"],
    write: ["update"],
    edit: ["update"],
    append: ["update"],
    move: ["update"],
    delete: ["update"],
  });
  expect(toolsOf("update")).toHaveLength(8);
  expect(toolsOf("search")).toHaveLength(4);
});

it("nothing in the search profile writes", () => {
  expect(toolsOf("search").every((tool) => tool.effect === "read")).toBe(true);
});

it.each(["write", "edit", "append", "move", "delete"])(
  "%s does not exist for the search profile",
  async (name) => {
    const vault = temporaryVault({ "a.md": "a\n" });
    const result = await callerOf(vault).search(name, {
      path: "a.md",
      content: "x",
      position: "top",
      from: "a.md",
      to: "b.md",
    });
    expect(result.structured).toMatchObject({ error: { code: "unknown_tool" } });
    expect(textOf(result)).toContain("tree, read, search, concat.");
  },
);

it("concat does not exist for the update profile", async () => {
  const result = await callerOf(temporaryVault()).update("concat", { files: [] });
  expect(result.structured).toMatchObject({ error: { code: "unknown_tool" } });
});

it.each(allTools.map((tool) => [tool.name, tool] as const))("the schema of %s", (_, tool) => {
  expect(inputSchema(tool)).toMatchSnapshot();
});

it.each(allTools.map((tool) => [tool.name, tool] as const))(
  "%s refuses arguments it does not have, and arguments of the wrong type",
  async (name, tool) => {
    const caller = callerOf(temporaryVault());
    const call = tool.profiles.includes("update") ? caller.update : caller.search;
    const unknown = await call(name, { paths: "a", path: "a", nonsense: 1 });
    expect(textOf(unknown)).toContain('"nonsense"');
    for (const args of [
      null,
      5,
      "text",
      [],
      { path: {}, paths: {}, queries: {}, files: {}, from: 1 },
    ]) {
      const result = await call(name, args);
      if (name === "tree" && args === null) continue;
      expect(result.isError, JSON.stringify(args)).toBe(true);
      expect(result.structured).toMatchObject({ error: { code: "invalid_argument" } });
    }
  },
);

it("the nine tools cost a model less than 1,300 tokens", () => {
  const text = allTools.map((tool) =>
    JSON.stringify({
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchema(tool),
    }),
  );
  expect(countTokens(text.join(""))).toBeLessThan(1300);
});
