import type { z } from "zod";

import type { SearchIndex } from "../index/search-index.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import type { Vault, VaultReader } from "../vault/vault.ts";
import type { Session } from "./session.ts";

/** `update` files what comes in; `search` looks and assembles, and has nothing to write with. */
export type Profile = "update" | "search";

export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  /** `data` is base64. `path` is for callers that can only print: what to open. */
  | {
      readonly type: "image";
      readonly data: string;
      readonly mimeType: string;
      readonly path: string;
    };

/** `content` is for the model or person; `structured` is the same for programs. */
export interface ToolOutput {
  readonly content: readonly ToolContent[];
  readonly structured: unknown;
  /** Nothing of what was asked could be done. */
  readonly failed?: boolean;
}

interface CommonContext {
  readonly index: SearchIndex;
  readonly session: Session;
  readonly now: () => Date;
  /** What `search` and `tree` show at most: for callers that pay for every token and may not know what they ask for. */
  readonly mostTokens?: number;
}

/** What a looking tool is given: by its type, nothing to write with. */
export interface ReadContext extends CommonContext {
  readonly profile: Profile;
  readonly vault: VaultReader;
}

export interface WriteContext extends CommonContext {
  readonly profile: "update";
  readonly vault: Vault;
  /** Groups the changes of one run, so that they can be undone as one. */
  readonly batch: string | null;
  /** What this caller may change: everything, when it is left out. It holds for every tool, whatever its arguments. */
  readonly guard?: ChangeGuard;
}

interface ToolFacts {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly profiles: readonly Profile[];
}

export interface ReadTool extends ToolFacts {
  readonly effect: "read";
  invoke(args: unknown, context: ReadContext): Promise<ToolOutput>;
}

export interface WriteTool extends ToolFacts {
  readonly effect: "write";
  /** Whether it can take something away, or only adds. */
  readonly destructive: boolean;
  invoke(args: unknown, context: WriteContext): Promise<ToolOutput>;
}

export type Tool = ReadTool | WriteTool;

interface Definition<Input extends z.ZodObject, Context> extends ToolFacts {
  readonly input: Input;
  readonly run: (input: z.infer<Input>, context: Context) => Promise<ToolOutput>;
}

/** A tool that looks. Its schema is checked on every call. */
export function readTool<Input extends z.ZodObject>(
  definition: Definition<Input, ReadContext>,
): ReadTool {
  const { run, ...facts } = definition;
  return {
    ...facts,
    effect: "read",
    invoke: async (args, context) => run(definition.input.parse(args), context),
  };
}

/** A tool that changes the vault. */
export function writeTool<Input extends z.ZodObject>(
  definition: Definition<Input, WriteContext> & { readonly destructive: boolean },
): WriteTool {
  const { run, ...facts } = definition;
  return {
    ...facts,
    effect: "write",
    invoke: async (args, context) => run(definition.input.parse(args), context),
  };
}

export function textOutput(text: string, structured: unknown): ToolOutput {
  return { content: [{ type: "text", text }], structured };
}
