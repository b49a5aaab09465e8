import type { CallResult } from "../../tools/call.ts";
import { ExpectedError } from "../../errors.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import type { ToolCaller } from "./tool-caller.ts";
import { errorOf } from "../output/tool-result.ts";

const ATTEMPTS = 20;

/**
 * Calls a tool that needs the present version of a file to have been read, having read it. When another process changes the file in
 * between, nobody has to be asked again: it is read and tried anew.
 */
export async function callHavingRead(
  path: string,
  tool: string,
  args: unknown,
  tools: ToolCaller,
): Promise<CallResult> {
  for (let attempt = 1; ; attempt += 1) {
    await readQuietly(path, tools);
    const result = await tools.call(tool, args);
    if (errorOf(result)?.code !== "conflict" || attempt === ATTEMPTS) return result;
  }
}

/** Notes the present version as read. Where there is no such file, it is for the tool to say so. */
async function readQuietly(path: string, { vault, session }: ToolCaller): Promise<void> {
  const parsed = parsePath(path);
  if ((await vault.find(parsed.path)).kind !== "file") return;
  const file = await vault.openText(parsed.path);
  session.ledger.saw(file.path, file.version);
}

/** Notes the version with this hash as read, so that the tool refuses any other. */
export async function expectHash(
  path: string,
  hash: string,
  { vault, session }: ToolCaller,
): Promise<void> {
  const parsed = parsePath(path);
  const shown = showPath(parsed.path);
  const found = await vault.find(parsed.path);
  if (found.kind === "missing") {
    throw new ExpectedError(
      "conflict",
      `${shown} does not exist (any more), so it has no version ${hash}. Leave out --if-hash to create it.`,
    );
  }
  if (found.kind !== "file") return;
  const { version } = await vault.openText(parsed.path);
  if (version.hash === null) {
    throw new ExpectedError(
      "invalid_argument",
      `${shown} is too large to have a hash; call again without --if-hash.`,
    );
  }
  // No signature: the hash alone decides, when the tool holds the lock.
  session.ledger.saw(found.path, { signature: "", hash });
}
