import { existsSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import type { VaultClient } from "../../server/client/vault-client.ts";
import { errorOf, type CallResult } from "../../tools/call-result.ts";
import type { ToolName } from "../../tools/registry.ts";
import type { CommandContext, ExitCode } from "../table/command.ts";
import type { Place } from "./place.ts";
import { withAnyVault, type Need, type ReachedVault } from "./with-vault.ts";
import { noticesForPeople } from "../output/for-people.ts";
import type { Colouring, Screen } from "../output/screen.ts";

export interface Showing {
  readonly colouring?: Colouring;
  /** What to type next after a failure with this code. */
  readonly hint?: (code: string) => string | undefined;
}

/** Calls a tool and prints its answer: all there is to most commands. */
export async function runTool(
  name: ToolName,
  args: unknown,
  context: CommandContext,
  { need, ...showing }: Showing & { readonly need: Need },
): Promise<ExitCode> {
  return withAnyVault(context, need, async (vault) =>
    showResult(await callTool(vault, name, args, need), vault, showing),
  );
}

/** One command is one session: what it read counts for what it writes. A change is followed by index and frontmatter when this resolves. */
export async function callTool(
  { client, isServed, screen }: ReachedVault,
  name: ToolName,
  args: unknown,
  need: Need,
): Promise<CallResult> {
  const isRepeatable = need === "look" || need === "search";
  const result = await client.callTool({ name, args, profile: "update", isRepeatable });
  // A vault that is open in this process is settled when it is closed.
  if (!isRepeatable && !result.isError && isServed) await settle(client, screen);
  return result;
}

/** Waits until the running service has followed a change. What was changed stays changed when it cannot. */
export async function settle(client: VaultClient, screen: Screen): Promise<void> {
  try {
    await client.settle();
  } catch (error) {
    if (!(error instanceof ExpectedError)) throw error;
    screen.warn(
      `The change is made, but tree.md and the search index could not follow it: ${error.message}`,
    );
  }
}

/** Prints a result where it belongs, in the form that was asked for. */
export function showResult(
  result: CallResult,
  { place, screen }: ReachedVault,
  { colouring, hint }: Showing,
): ExitCode {
  const error = errorOf(result);
  if (error !== null) {
    screen.fail({ ...error, hint: hint?.(error.code) });
    return 1;
  }
  if (result.isError) {
    screen.showFailed(result.structured, () =>
      withoutLoneList(noticesForPeople(textOf(result, place), screen.translate)),
    );
    return 1;
  }
  screen.show(
    result.structured,
    () => noticesForPeople(textOf(result, place), screen.translate),
    colouring,
  );
  return 0;
}

/** The text of a result. A terminal cannot show an image: the line before it says what it is, this one what to open. */
function textOf({ content }: CallResult, { root }: Place): string {
  let text = "";
  for (const part of content) {
    if (part.type === "image") {
      const file = localFile(part.path, root);
      text += file === undefined ? "" : `\nopen ${file}`;
    } else text += text === "" ? part.text : `\n\n${part.text}`;
  }
  return text;
}

/** Where a file of the vault is on this machine. Names on disk may be in either Unicode normal form. */
function localFile(shown: string, root: string): string | undefined {
  const file = path.join(root, shown.replace(/^vault\//u, ""));
  return [file, file.normalize("NFC"), file.normalize("NFD")].find((each) => existsSync(each));
}

/** A list of one error is that error. */
function withoutLoneList(text: string): string {
  return text.replace(/^Errors:\n- ([^\n]*)$/u, "$1");
}
