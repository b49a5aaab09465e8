import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, onTestFinished, vi } from "vitest";

import { createService, type Service } from "../compose.ts";
import { callTool } from "../tools/call.ts";
import type { CallResult } from "../tools/call-result.ts";
import type { FrontmatterPolicy } from "../vault/frontmatter-policy.ts";
import { createSession, type Session } from "../tools/session.ts";
import { splitFrontmatter } from "../vault/files/frontmatter.ts";
import { temporaryFolder, writeFiles, type Files } from "./temporary-vault.ts";
import { vaultProblems } from "./vault-problems.ts";

export interface Home {
  readonly root: string;
  readonly state: string;
  readonly file: (name: string) => string;
  readonly read: (name: string) => string;
}

/** A folder of notes, and a place for its state. */
export function home(files: Files = {}): Home {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  mkdirSync(root);
  writeFiles(root, files);
  return {
    root,
    state: path.join(folder, "state"),
    file: (name) => path.join(root, name),
    read: (name) => readFileSync(path.join(root, name), "utf8"),
  };
}

/** The service of a home, when it has nothing left to do. */
export async function start(
  { root, state }: Home,
  frontmatter: FrontmatterPolicy = "all",
): Promise<Service> {
  const service = await createService({ root, state, frontmatter });
  onTestFinished(() => service.close().catch(() => {}));
  await service.settled();
  return service;
}

/** The files in which a search finds something. */
export async function found(service: Service, query: string): Promise<string[]> {
  const request = { mode: "fast", scope: null, limit: 50, from: null, to: null } as const;
  const { hits } = await service.index.search({ ...request, queries: [query] });
  return hits.map((hit) => hit.path);
}

/** Waits until the service knows of something, then until it has nothing left to do. */
export async function until(
  service: Service,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  await vi.waitFor(async () => expect(await isTrue()).toBe(true), { timeout: 30_000, interval: 5 });
  await service.settled();
}

/** Calls a tool. */
export function update(
  service: Service,
  name: string,
  args: unknown,
  session: Session = createSession("test"),
): Promise<CallResult> {
  const { vault, index } = service;
  return callTool(name, args, {
    profile: "update",
    vault,
    index,
    session,
    now: () => new Date(),
    batch: null,
  });
}

/** What stands after the frontmatter. */
export function bodyOf(text: string): string {
  return splitFrontmatter(text).body.replace(/^\n/u, "");
}

/** Closes the service; fails unless frontmatter, tree.md and index are then what fresh ones would be. */
export async function expectRight(service: Service, { root, state }: Home): Promise<void> {
  // What the system has not told of yet is found by comparing.
  await service.rescan();
  await service.settled();
  await service.close();
  expect(await vaultProblems(root, state)).toEqual([]);
}
