import type { Hono } from "hono";

import type { OnRunEvent } from "../../agents/contract.ts";
import type { Memory } from "../../agents/memory.ts";
import { proposedFilesOf } from "../../tidy/apply.ts";
import type { Finding } from "../../tidy/finding.ts";
import { showPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { runStream, wantsEvents } from "../http/event-stream.ts";
import { checked, jsonBody } from "../http/request.ts";
import { TidyBody, type TidyView } from "./agent-contract.ts";
import type { AppOptions } from "./app.ts";
import type { ChangeView } from "./contract.ts";
import { viewProposed } from "./preview-routes.ts";

/** Looking for what is untidy. The answer to what was found is an update, like that to any inbox item. */
export function addTidyRoutes(
  app: Hono,
  { tidy }: Pick<Memory, "tidy">,
  { service, onBug }: Pick<AppOptions, "service" | "onBug">,
): void {
  const { vault } = service;
  const view = async (problem: string | null): Promise<TidyView> => {
    const item = await tidy.waiting();
    const proposals = (item?.proposals ?? []).map(async (each, at) => ({
      number: at + 1,
      kind: each.kind,
      title: each.title,
      changes: await changesOf(each, vault),
    }));
    return {
      ...tidy.status(),
      ref: item?.ref ?? null,
      language: item?.language ?? "en",
      proposals: await Promise.all(proposals),
      notes: (item?.notes ?? []).map(({ kind, title }) => ({ kind, title })),
      problem,
    };
  };
  const look = async (onEvent: OnRunEvent, signal: AbortSignal): Promise<TidyView> => {
    // What was written a moment ago counts.
    await service.settle();
    const { problem } = await tidy.run({ isDaily: false, signal, onEvent });
    return view(problem);
  };

  app.get("/api/tidy", async (c) => c.json(await view(null)));

  app.post("/api/tidy", async (c) => {
    const { raw } = c.req;
    const { daily } = checked(TidyBody, await jsonBody(raw), 'Send {} or {"daily": true}');
    if (daily !== undefined) {
      await tidy.daily.choose(daily);
      return c.json(await view(null));
    }
    if (wantsEvents(raw))
      return runStream(
        c,
        async (onEvent, gone) => look(onEvent, AbortSignal.any([raw.signal, gone])),
        (error) => onBug(error, "tidying"),
      );
    return c.json(await look(() => {}, raw.signal));
  });
}

/** What a proposal would change, one view a file. */
async function changesOf({ changes }: Finding, vault: VaultReader): Promise<ChangeView[]> {
  const { files, changed } = await proposedFilesOf(changes, vault);
  const views = await Promise.all(files.map(viewProposed));
  const old = changed.map((path) => ({
    kind: "modify" as const,
    path: showPath(path),
    diff: null,
    note: "changed since it was looked through",
  }));
  return [...views, ...old];
}
