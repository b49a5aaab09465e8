import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { errorOf, type CallResult } from "../../tools/call-result.ts";
import type { ToolName } from "../../tools/registry.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { shellQuote } from "../system/shell-quote.ts";
import { callTool } from "./tool-result.ts";
import type { ReachedVault } from "./with-vault.ts";

const MAX_ATTEMPTS = 20;

const ReadAnswer = z.object({
  files: z.array(z.object({ path: z.string(), hash: z.string().nullish() })),
});

/**
 * Calls a tool that needs the present version of a file to have been read, after reading it.
 * @param hash of the only version to change; without one it is whatever is there, and both are repeated when another process changes the
 * file in between
 */
export async function callAfterRead(
  tool: ToolName,
  args: { readonly path: string; readonly [name: string]: unknown },
  vault: ReachedVault,
  hash: string | undefined,
): Promise<CallResult> {
  const { path } = args;
  if (hash !== undefined) {
    await expectHash(path, hash, vault);
    return callTool(vault, tool, args, "change");
  }
  for (let attempt = 1; ; attempt += 1) {
    await readHead(path, vault);
    const result = await callTool(vault, tool, args, "change");
    if (errorOf(result)?.code !== "conflict" || attempt === MAX_ATTEMPTS) return result;
  }
}

/** Reads the version with this hash, so that the tool refuses any other. Throws `conflict` when the file has another one. */
async function expectHash(path: string, hash: string, vault: ReachedVault): Promise<void> {
  const result = await readHead(path, vault);
  const [file] = ReadAnswer.safeParse(result.structured).data?.files ?? [];
  if (file === undefined) {
    // A folder, or not text: the tool says so.
    if (!isMissing(result)) return;
    throw new ExpectedError(
      "conflict",
      `${showPath(parsePath(path).path)} does not exist (any more), so it has no version ${hash}. Leave out --if-hash to create it.`,
    );
  }
  if (file.hash === null || file.hash === undefined) {
    throw new ExpectedError(
      "invalid_argument",
      `${file.path} is too large to have a hash; call again without --if-hash.`,
    );
  }
  if (file.hash !== hash) {
    throw new ExpectedError(
      "conflict",
      `${file.path} was changed since you read it; read it again. Its present hash is in: coffre read ${shellQuote(path)} --json`,
    );
  }
}

/** Any part of a file counts as having read it. */
async function readHead(path: string, vault: ReachedVault): Promise<CallResult> {
  return callTool(vault, "read", { paths: [path], head: 1 }, "look");
}

function isMissing({ structured }: CallResult): boolean {
  return JSON.stringify(structured ?? "").includes('"not_found"');
}
