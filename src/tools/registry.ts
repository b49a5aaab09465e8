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

/** The nine tools, those that look first. */
export const allTools: readonly Tool[] = [
  tree,
  read,
  search,
  concat,
  write,
  edit,
  append,
  move,
  remove,
];

/** The tools that exist for a profile. The others do not, over every transport. */
export function toolsOf(profile: Profile): readonly Tool[] {
  return allTools.filter((tool) => tool.profiles.includes(profile));
}

/** A tool's arguments as JSON Schema, without what says nothing to a model. */
export function inputSchema(tool: Pick<Tool, "input">): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.input, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      withoutNull(jsonSchema);
    },
  });
  return schema;
}

/** Null is taken for an argument that is left out, since models send it; to say so would cost tokens, and some clients refuse such schemas. */
function withoutNull(schema: z.core.JSONSchema.BaseSchema): void {
  const { anyOf } = schema;
  const others = anyOf?.filter((each) => each.type !== "null");
  const [other] = others ?? [];
  if (other === undefined || others?.length !== 1 || anyOf?.length !== 2) return;
  delete schema.anyOf;
  Object.assign(schema, other);
}
