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
      withoutLimits(jsonSchema);
      withoutNull(jsonSchema);
    },
  });
  return schema;
}

/** The executor checks limits and explains them when needed; listed, they would cost a model a tenth of the tokens of all tools. */
function withoutLimits(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.minimum;
  delete schema.exclusiveMinimum;
  delete schema.minItems;
  delete schema.maxItems;
  delete schema.additionalProperties;
}

/** Models send null for an argument that is left out, and it is accepted; listed, it would cost tokens, and some clients reject such schemas. */
function withoutNull(schema: z.core.JSONSchema.BaseSchema): void {
  const { anyOf } = schema;
  const others = anyOf?.filter((each) => each.type !== "null");
  const [other] = others ?? [];
  if (other === undefined || others?.length !== 1 || anyOf?.length !== 2) return;
  delete schema.anyOf;
  Object.assign(schema, other);
}
