import type { z } from "zod";

import { ExpectedError } from "../errors.ts";
import type { IndexReader } from "../index/search-index.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import type { VaultPath } from "../vault/paths.ts";
import type { CallersVault, VaultReader } from "../vault/vault.ts";
import { asMeant } from "./as-meant.ts";
import type { Session } from "./session.ts";

/** `update` files new material; `search` reads and assembles, and cannot write. */
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
  /** Nothing that the call asked for could be done. */
  readonly failed?: boolean;
}

interface CommonContext {
  readonly index: IndexReader;
  readonly session: Session;
  readonly now: () => Date;
  /**
   * Given when a model reads the answer: what `search` and `tree` show at most. `read` and `concat` then have limits of their own; for programs
   * and people they show all.
   */
  readonly mostTokens?: number;
  /** Given when text of others must not reach the caller unasked: of such a file, `search` shows the path and the lines' numbers only. */
  readonly conceals?: (path: VaultPath) => Promise<boolean>;
}

/** What a reading tool is given: by its type, it cannot write. */
export interface ReadContext extends CommonContext {
  readonly profile: Profile;
  readonly vault: VaultReader;
}

export interface WriteContext extends CommonContext {
  readonly profile: "update";
  readonly vault: CallersVault;
  /** Groups the changes of one run, so that they can be undone as one. */
  readonly batch: string | null;
  /** What this caller may change; everything when it is left out. It holds for every tool and any arguments. */
  readonly guard?: ChangeGuard;
}

/** A tool that can be run with a `Context`. */
export interface ToolFor<Context> {
  readonly name: string;
  readonly title: string;
  /** For the model: what it does, when to use it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly effect: "read" | "write";
  /** Whether it can remove something, or only adds. */
  readonly destructive: boolean;
  /** Throws `invalid_argument` for arguments that do not fit `input`. */
  invoke(args: unknown, context: Context): Promise<ToolOutput>;
}

interface VaultFacts {
  readonly profiles: readonly Profile[];
  /** Its answer is incomplete until every file of the vault is known. */
  readonly needsWholeTree?: boolean;
}

export interface ReadTool extends ToolFor<ReadContext>, VaultFacts {
  readonly effect: "read";
}

export interface WriteTool extends ToolFor<WriteContext>, VaultFacts {
  readonly effect: "write";
}

/** A tool on the vault. */
export type Tool = ReadTool | WriteTool;

interface Definition<Input extends z.ZodObject, Context> extends Pick<
  ToolFor<Context>,
  "name" | "title" | "description"
> {
  readonly input: Input;
  readonly run: (input: z.infer<Input>, context: Context) => Promise<ToolOutput>;
}

/** A tool whose arguments are checked on every call. */
export function defineTool<Input extends z.ZodObject, Context>(
  definition: Definition<Input, Context> & Pick<ToolFor<Context>, "effect" | "destructive">,
): ToolFor<Context> {
  return { ...definition, invoke: checkedRun(definition) };
}

/** A tool that only reads the vault. */
export function readTool<Input extends z.ZodObject>(
  definition: Definition<Input, ReadContext> & VaultFacts,
): ReadTool {
  const invoke = checkedRun(definition);
  return { ...definition, effect: "read", destructive: false, invoke };
}

/** A tool that changes the vault. */
export function writeTool<Input extends z.ZodObject>(
  definition: Definition<Input, WriteContext> & VaultFacts & Pick<WriteTool, "destructive">,
): WriteTool {
  return { ...definition, effect: "write", invoke: checkedRun(definition) };
}

function checkedRun<Input extends z.ZodObject, Context>({
  name,
  input,
  run,
}: Definition<Input, Context>): ToolFor<Context>["invoke"] {
  return async (args, context) => {
    const parsed = input.safeParse(asMeant(input, args));
    if (parsed.success) return run(parsed.data, context);
    const problems = parsed.error.issues.slice(0, 5).map((issue) => explainIssue(issue, []));
    throw new ExpectedError(
      "invalid_argument",
      `${name}: ${problems.join("; ")}. It takes: ${Object.keys(input.shape).join(", ")}.`,
    );
  };
}

export function textOutput(text: string, structured: unknown): ToolOutput {
  return { content: [{ type: "text", text }], structured };
}

/** Says which argument is wrong, and why. */
function explainIssue(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): string {
  const place = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    // Of several forms, the one the caller meant: its type is right, something in it is not.
    const tried = issue.errors.find(
      ([first]) => first !== undefined && (first.code !== "invalid_type" || first.path.length > 0),
    );
    const [first] = tried ?? [];
    if (first !== undefined) return explainIssue(first, place);
  }
  const shown = place.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const keys = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown argument ${keys}${shown === "" ? "" : ` in ${shown}`}`;
  }
  return `${shown === "" ? "the arguments" : shown}: ${issue.message}`;
}
