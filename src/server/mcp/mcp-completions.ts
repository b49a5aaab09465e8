import {
  ProtocolError,
  ProtocolErrorCode,
  type CompleteRequestParams,
  type Server,
} from "@modelcontextprotocol/server";

import { ExpectedError } from "../../errors.ts";
import type { VaultClient } from "../client/vault-client.ts";
import { protocolError } from "./mcp-errors.ts";
import type { McpOptions } from "./mcp-server.ts";

/** The protocol allows no more in one answer. */
const MAX_VALUES = 100;

/** What an argument may be, by what was typed of it; null when there is no such argument. */
export type Completer = (
  reference: CompleteRequestParams["ref"],
  argument: CompleteRequestParams["argument"],
) => Promise<readonly string[] | null>;

/** Puts completion on a server. */
export function serveCompletions(
  server: Server,
  complete: Completer,
  onBug: McpOptions["onBug"],
): void {
  server.registerCapabilities({ completions: {} });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    try {
      const values = await complete(ref, argument);
      if (values === null) throw unknown(ref, argument.name);
      return {
        completion: {
          values: values.slice(0, MAX_VALUES),
          total: values.length,
          hasMore: values.length > MAX_VALUES,
        },
      };
    } catch (error) {
      throw protocolError(error, "completion/complete", onBug);
    }
  });
}

function unknown(ref: CompleteRequestParams["ref"], argument: string): ProtocolError {
  const named = ref.type === "ref/prompt" ? `prompt ${ref.name}` : `resource template ${ref.uri}`;
  const message = `Nothing is completed for ${JSON.stringify(argument)} of the ${named}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * The paths that begin as `typed` does, without `vault/`, the nearest names first; folders end with a slash, so that a client can go on. Letter
 * case does not matter.
 */
export async function completePath(typed: string, vault: VaultClient): Promise<readonly string[]> {
  const given = typed.replace(/^vault\//u, "");
  const folder = given.slice(0, given.lastIndexOf("/") + 1);
  const start = given.slice(folder.length).toLowerCase();
  const entries = await entriesOf(folder, vault);
  const names = entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name));
  const beginning = names.filter((name) => name.toLowerCase().startsWith(start));
  const within = names.filter((name) => name.toLowerCase().indexOf(start) > 0);
  return [...beginning, ...within].map((name) => folder + name);
}

async function entriesOf(
  folder: string,
  vault: VaultClient,
): Promise<Awaited<ReturnType<VaultClient["entryAt"]>>["entries"]> {
  try {
    return (await vault.entryAt(`vault/${folder}`)).entries;
  } catch (error) {
    // Half a path can be anything, also one outside the vault.
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}

/** The refs of the inbox that contain what was typed; none where there is no inbox. */
export async function completeRef(typed: string, vault: VaultClient): Promise<readonly string[]> {
  try {
    const items = await vault.inbox();
    const wanted = typed.toLowerCase();
    return items.map(({ ref }) => ref).filter((ref) => ref.toLowerCase().includes(wanted));
  } catch (error) {
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}
