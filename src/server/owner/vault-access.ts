import type { CallResult } from "../../tools/call.ts";
import type { AppOptions } from "../api/app.ts";
import { ClientSessions } from "../api/client-sessions.ts";
import { showChanges, type FileChanges } from "../api/file-changes.ts";
import { toolCalls, type ToolCall } from "../api/tool-calls.ts";
import { fileBytes, listFiles, type FileBytes, type FilePage } from "../api/vault-files.ts";

/** Null: anything may have changed. */
export type ChangeListener = (changes: FileChanges | null) => void;

/** What one connection does in the vault: in this process, or through the owner of the vault. */
export interface VaultAccess {
  /** Calls will come soon. What takes long may begin now. */
  prepare(): void;
  /** A tool's refusal is a result. */
  call(call: ToolCall): Promise<CallResult>;
  /** @param after the `next` of the page before; null for the first */
  listFiles(after: string | null): Promise<FilePage>;
  /** @param path `vault/…` */
  readFile(path: string): Promise<FileBytes>;
  /** Calls `listener` after files were changed, by whomever, until the function it returns is called. */
  onChanged(listener: ChangeListener): () => void;
}

/** Of one file, for a client that takes it whole: over stdio more than 10 MiB end a connection, base64 and escapes included. */
export const LARGEST_WHOLE = 5_000_000;

/** The vault of this process for one connection, or for clients told apart by their names: what was read through it counts for what it writes. */
export function ownAccess(
  options: Pick<AppOptions, "service" | "now" | "onBug" | "log">,
): VaultAccess {
  const { service } = options;
  const call = toolCalls(options);
  const sessions = new ClientSessions();
  return {
    prepare: () => {},
    call: async (asked) => call(asked, sessions.of(asked.client)),
    listFiles: async (after) => {
      await service.surveyed();
      return listFiles(service.vault, after);
    },
    readFile: async (path) => fileBytes(service.vault, path, LARGEST_WHOLE),
    onChanged: (listener) => service.onDone((done) => listener(showChanges(done))),
  };
}
