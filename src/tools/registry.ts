import { z } from "zod";

import { append } from "./append.ts";
import { concat } from "./concat.ts";
import type { Profile, Tool } from "./define.ts";
import { remove } from "./delete.ts";
import { edit } from "./edit.ts";
import { move } from "./move.ts";
import { read } from "./read.ts";
import { search } from "./search.ts";
import { tree } from "./tree.ts";
import { write } from "./write.ts";

/** The nine tools by name, the reading ones first: the only table of them. */
const tools = { tree, read, search, concat, write, edit, append, move, delete: remove };

export type ToolName = keyof typeof tools;

export const allTools: readonly Tool[] = Object.values(tools);

/** The tools of each profile. Over every transport, the others do not exist for it. */
export const profileTools = {
  search: allTools
    .filter((tool) => tool.effect === "read")
    .filter(({ profiles }) => profiles.includes("search")),
  update: allTools.filter(({ profiles }) => profiles.includes("update")),
} satisfies Readonly<Record<Profile, readonly Tool[]>>;

export function toolsOf(profile: Profile): readonly Tool[] {
  return profileTools[profile];
}

/** A tool's arguments as JSON Schema, without what is of no use to a model. */
export function inputSchema(tool: Pick<Tool, "input">): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: "input",
    override: ({ jsonSchema }) => {
      withoutFreeObjects(jsonSchema);
      withoutLimits(jsonSchema);
      withoutNull(jsonSchema);
      withoutNeighbours(jsonSchema);
    },
  });
  return schema;
}

/**
 * The executor checks limits and explains them when needed; listed, they would cost a model a tenth of the tokens of all tools, and strict modes
 * reject most of them, and defaults.
 */
function withoutLimits(schema: z.core.JSONSchema.BaseSchema): void {
  delete schema.default;
  delete schema.minLength;
  delete schema.maxLength;
  delete schema.maximum;
  delete schema.minimum;
  delete schema.exclusiveMinimum;
  delete schema.minItems;
  delete schema.maxItems;
  delete schema.additionalProperties;
}

/** Some providers reject objects without named keys: where another form does the same, that one is listed. */
function withoutFreeObjects(schema: z.core.JSONSchema.BaseSchema): void {
  const isFree = (each: z.core.JSONSchema.BaseSchema): boolean =>
    each.type === "object" && each.properties === undefined;
  const others = schema.anyOf?.filter((each) => !isFree(each)) ?? [];
  if (others.length > 0) chooseFrom(schema, others);
}

/** Models send null for an argument that is left out, and it is accepted; listed, it would cost tokens, and some clients reject such schemas. */
function withoutNull(schema: z.core.JSONSchema.BaseSchema): void {
  const others = schema.anyOf?.filter((each) => each.type !== "null") ?? [];
  if (others.length > 0) chooseFrom(schema, others);
}

/** Gemini rejects a choice of forms that stands beside anything else: its description goes to the first form. */
function withoutNeighbours(schema: z.core.JSONSchema.BaseSchema): void {
  const { anyOf, description } = schema;
  const [first, ...others] = anyOf ?? [];
  if (first === undefined || description === undefined) return;
  schema.anyOf = [{ ...first, description }, ...others];
  delete schema.description;
}

/** A choice of one is no choice. */
function chooseFrom(
  schema: z.core.JSONSchema.BaseSchema,
  forms: z.core.JSONSchema.BaseSchema[],
): void {
  const [only] = forms;
  if (forms.length > 1) {
    schema.anyOf = forms;
    return;
  }
  delete schema.anyOf;
  Object.assign(schema, only);
}
