import { z } from "zod";

/** One thing that is sent to a service: all of it, so that it can be sent again. Bytes are base64. */
export const Input = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("tool"),
    tool: z.string(),
    profile: z.string(),
    args: z.unknown(),
  }),
  z.object({
    kind: z.literal("route"),
    method: z.string(),
    path: z.string(),
    body: z.unknown(),
    headers: z.record(z.string(), z.string()).optional(),
    /** Over the socket of the person's own commands, instead of TCP. */
    isLocal: z.boolean().optional(),
  }),
  /** A connection's bytes; `{token}` and `{host}` stand for those of the service. */
  z.object({ kind: z.literal("frame"), bytes: z.string() }),
  /** A body to an MCP server over HTTP, in a session of its own when it speaks a protocol that has them. */
  z.object({
    kind: z.literal("mcp"),
    profile: z.string(),
    version: z.string(),
    /** What the URL says of the client. */
    query: z.string().optional(),
    body: z.string(),
  }),
  /** A line to an MCP server over standard input. */
  z.object({ kind: z.literal("stdio"), line: z.string() }),
  z.object({
    kind: z.literal("ingest"),
    name: z.string(),
    bytes: z.string(),
    /** Other files of the same form, and its fields. */
    more: z.array(z.object({ name: z.string(), bytes: z.string() })).optional(),
    fields: z.record(z.string(), z.string()).optional(),
  }),
  /** A file that another program puts into the vault. */
  z.object({ kind: z.literal("note"), path: z.string(), bytes: z.string() }),
]);

export type Input = z.infer<typeof Input>;

/** What was found once, and must not come again. */
export const Case = z.object({
  /** What happened. */
  why: z.string(),
  input: Input,
});

export type Case = z.infer<typeof Case>;
