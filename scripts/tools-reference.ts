import { z } from "zod";

import type { Tool } from "../src/tools/define.ts";
import { allTools, inputSchema } from "../src/tools/registry.ts";
import { readAmounts } from "./read-amounts.ts";

const Shape = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  description: z.string().optional(),
});

const Schema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

/** The tools as people read about them, in markdown: made from what models are told. */
export function toolsReference(): string {
  return [
    "# The nine tools",
    "",
    "Made by `npm run docs` from the tools themselves: these are the words that models read. The same names and arguments hold over MCP, HTTP (`POST /api/tools/NAME`), the command line and the library.",
    "",
    ...allTools.flatMap((tool) => section(tool)),
  ].join("\n");
}

function section(tool: Tool): string[] {
  const { properties, required } = Schema.parse(inputSchema(tool));
  const rows = Object.entries(properties).map(([name, schema]) => {
    const shape = Shape.parse(schema);
    const usual = shape.default === undefined ? "" : ` Usually ${JSON.stringify(shape.default)}.`;
    const isNeeded = required.includes(name) ? "yes" : "";
    return `| \`${name}\` | ${cell(typeText(schema))} | ${isNeeded} | ${cell(descriptionOf(shape) + usual)} |`;
  });
  const effect =
    tool.effect === "read" ? "looks" : tool.destructive ? "changes, can take away" : "adds";
  return [
    `## ${tool.name}`,
    "",
    tool.description,
    "",
    `It ${effect}. Profiles: ${tool.profiles.join(", ")}.`,
    "",
    "| argument | takes | needed | |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
    ...(tool.name === "read" ? readAmounts() : []),
  ];
}

/** A choice of forms has it in the first. */
function descriptionOf({ description, anyOf: [first] = [] }: z.infer<typeof Shape>): string {
  return description ?? (first === undefined ? "" : (Shape.parse(first).description ?? ""));
}

/** `text`, `list of text`, `"fast" or "deep"`. */
function typeText(schema: unknown): string {
  const { type, enum: choices, items, anyOf, properties } = Shape.parse(schema);
  if (anyOf !== undefined) {
    const kinds = anyOf.map((each) => typeText(each)).filter((kind) => kind !== "nothing");
    return [...new Set(kinds)].join(", or ");
  }
  if (choices !== undefined) return choices.map((choice) => JSON.stringify(choice)).join(" or ");
  if (type === "array") return `list of ${typeText(items)}`;
  if (type === "object" && typeof properties === "object" && properties !== null) {
    return `{ ${Object.keys(properties).join(", ")} }`;
  }
  const words: Readonly<Record<string, string>> = {
    string: "text",
    integer: "whole number",
    number: "number",
    boolean: "true or false",
    null: "nothing",
  };
  const kinds = [type ?? []].flat().map((kind) => words[kind] ?? kind);
  return kinds.filter((kind) => kind !== "nothing").join(" or ");
}

function cell(text: string): string {
  return text
    .replaceAll("|", String.raw`\|`)
    .replaceAll("\n", " ")
    .trim();
}
