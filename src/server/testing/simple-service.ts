import { onTestFinished } from "vitest";

import type { Service } from "../../compose.ts";
import { openIndex } from "../../index/create-index.ts";
import { reconcile } from "../../index/fill-index.ts";
import type { IndexReader } from "../../index/search-index.ts";
import { VaultLinks } from "../../index/vault-links.ts";
import type { JobReport } from "../../jobs/background-job.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { modelView } from "../../reader-view.ts";
import type { Served } from "../api/app.ts";

export interface SimpleService extends Served, Pick<Service, "pending"> {
  /** How often it was asked to settle. */
  settles: number;
  readonly listeners: Set<(done: JobReport) => void>;
  /** Called before every search. */
  onSearch: () => Promise<void>;
  /** Called before `settle` resolves. */
  onSettle: () => Promise<void>;
}

/** A service without watcher and job: whatever it is asked, it first looks at the whole vault. */
export function simpleService(vault: LocalVault): SimpleService {
  const index = openIndex(vault.state);
  onTestFinished(() => index.close());
  const rescan = async (): Promise<{ changed: number; gone: number }> => reconcile(vault, index);
  const upToDate: IndexReader = {
    stats: async () => index.stats(),
    tags: async () => (await rescan(), index.tags()),
    places: index.places,
    links: new VaultLinks(async () => {
      await rescan();
      return index.links;
    }, vault),
    completions: async (typed, most) => {
      await rescan();
      return index.completions(typed, most);
    },
    replacements: {
      of: async (path, lines) => {
        await rescan();
        return index.replacements.of(path, lines);
      },
      stated: async () => {
        await rescan();
        return index.replacements.stated();
      },
    },
    lines: async (path, range) => index.lines(path, range),
    search: async (request) => {
      await service.onSearch();
      await rescan();
      return index.search(request);
    },
  };
  const service: SimpleService = {
    vault,
    index: upToDate,
    settles: 0,
    settled: async () => service.settle(),
    pending: 0,
    listeners: new Set(),
    onSearch: async () => {},
    onSettle: async () => {},
    settle: async () => {
      service.settles += 1;
      await rescan();
      await service.onSettle();
    },
    rescan,
    surveyed: async () => true,
    onDone: (listener) => {
      service.listeners.add(listener);
      return () => void service.listeners.delete(listener);
    },
    status: async () => ({
      vault: vault.root,
      index: { ...(await index.stats()), pending: 0 },
      deep: {
        engine: "words",
        model: null,
        state: "words",
        embedded: 0,
        pending: 0,
        problem: null,
      },
      watcher: {
        alive: true,
        folders: 7,
        unwatched: 0,
        lastEvent: "2026-11-16T08:30:00",
        heartbeat: "2026-11-16T08:31:00",
      },
      lastError: null,
      alarms: [],
      model: null,
      spent: null,
      inbox: 0,
      queue: { waiting: 0, running: 0 },
      tidy: { daily: false, last: null },
      ignored: { hidden: 0, unlisted: 0 },
      frontmatter: { setting: "all", chosen: false, left: {} },
      left: [],
    }),
  };
  return Object.assign(service, { models: modelView(service, () => []) });
}
