import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { onTestFinished } from "vitest";
import { z } from "zod";

import { fillIndex } from "../index/fill-index.ts";
import { MemoryIndex } from "../index/create-index.ts";
import { callTool } from "../tools/call.ts";
import type { CallResult } from "../tools/call-result.ts";
import { createSession, type Session } from "../tools/session.ts";
import { createVault, type LocalVault, type Vault } from "../vault/vault.ts";

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}

/** A vault on real folders, with these files in it. */
export function temporaryVault(files: Files = {}, now: () => Date = () => new Date()): LocalVault {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  mkdirSync(root);
  writeFiles(root, files);
  const vault = createVault({ root, state: path.join(folder, "state"), now });
  onTestFinished(() => vault.close());
  return vault;
}

/** A caller of the tools: `update` and `search` call with that profile, in one session. */
export interface Caller {
  readonly session: Session;
  readonly update: (name: string, args: unknown) => Promise<CallResult>;
  readonly search: (name: string, args: unknown) => Promise<CallResult>;
}

/** Calls tools on a vault, as a model does when `mostTokens` is given. Unexpected errors fail the test. The index is rebuilt for each `search` and `move` call. */
export function callerOf(
  vault: Vault,
  {
    now = () => new Date(),
    batch = null as string | null,
    mostTokens,
  }: { now?: () => Date; batch?: string | null; mostTokens?: number } = {},
): Caller {
  const session = createSession("test");
  const onBug = (error: unknown): void => {
    throw error;
  };
  const call = async (
    profile: "update" | "search",
    name: string,
    args: unknown,
  ): Promise<CallResult> => {
    const index = new MemoryIndex();
    if (name === "search" || name === "move") await fillIndex(vault, index);
    const bound = mostTokens === undefined ? {} : { mostTokens };
    const common = { vault, index, session, now, ...bound };
    return profile === "search"
      ? callTool(name, args, { ...common, profile }, { onBug })
      : callTool(name, args, { ...common, profile, batch }, { onBug });
  };
  return {
    session,
    update: async (name, args) => call("update", name, args),
    search: async (name, args) => call("search", name, args),
  };
}

/** The code of a refused call; null when it was done. */
export function refusedWith({ isError, structured }: CallResult): string | null {
  return isError ? (Refused.safeParse(structured).data?.error.code ?? "no code") : null;
}

const Refused = z.object({ error: z.object({ code: z.string() }) });

/** The text of a result; images as `<image TYPE>`. */
export function textOf(result: CallResult): string {
  return result.content
    .map((part) => (part.type === "text" ? part.text : `<image ${part.mimeType}>`))
    .join("\n");
}
