import { describe, expect, it, vi } from "vitest";

import {
  eventually,
  startScriptedService,
  type ScriptedService,
} from "../testing/scripted-service.ts";
import { FileList, latest, withChanges } from "./file-list.ts";

const file = (path: string, changed: string | null): Parameters<typeof latest>[0][number] => ({
  path,
  bytes: 1,
  changed,
});

const KNOWN = [
  file("vault/a.md", "2026-11-14T10:00:00"),
  file("vault/b.md", "2026-11-15T10:00:00"),
  { ...file("vault/tree.md", "2026-11-16T10:00:00"), generated: true as const },
  file("vault/broken", null),
];

describe("the list of files", () => {
  it("follows what changes, comes and goes", () => {
    const changes = {
      changed: ["vault/a.md", "vault/new.md"],
      created: ["vault/new.md"],
      gone: ["vault/b.md"],
    };
    expect(withChanges(KNOWN, changes, "now").map(({ path, changed }) => [path, changed])).toEqual([
      ["vault/a.md", "now"],
      ["vault/tree.md", "2026-11-16T10:00:00"],
      ["vault/broken", null],
      ["vault/new.md", "now"],
    ]);
  });

  it("tells which changed last, but for the listing that changes with every other file", () => {
    expect(latest(KNOWN, 5).map(({ path }) => path)).toEqual(["vault/b.md", "vault/a.md"]);
    expect(latest(KNOWN, 1)).toHaveLength(1);
    // A note of that name is the person's.
    expect(latest([file("vault/tree.md", "2026-11-16T10:00:00")], 5)).toHaveLength(1);
    const made = { changed: ["vault/tree.md"], created: [], gone: [] };
    expect(latest(withChanges([], made, "2026-11-16T10:00:00"), 5)).toEqual([]);
  });
});

describe("loading the list", () => {
  const all = Array.from({ length: 4500 }, (_, at) => file(`vault/n${at + 10_000}.md`, null));

  /** A service with so many files, whose version grows with each answer to `since`. */
  async function listing(
    changed: readonly string[],
    isAway: () => boolean = () => false,
  ): Promise<{
    readonly service: ScriptedService;
    readonly list: FileList;
  }> {
    vi.stubGlobal("window", { sessionStorage: new TabStorage() });
    const service = await startScriptedService((request) => {
      if (isAway()) return undefined;
      const query = new URL(request.slice(4), "http://x").searchParams;
      if (query.has("since")) {
        const files = changed.map((path) => file(path, "2026-11-16T10:00:00"));
        return { files, gone: ["vault/n10000.md"], next: null, version: "v-2" };
      }
      const start = all.findIndex(({ path }) => path > (query.get("after") ?? ""));
      const files = all.slice(start, start + Number(query.get("limit")));
      const isLast = start + files.length >= all.length;
      return { files, next: isLast ? null : files.at(-1)?.path, version: "v-1" };
    });
    return { service, list: new FileList(service, () => new Date()) };
  }

  it("comes in pieces, with what changed meanwhile", async () => {
    const { service, list } = await listing(["vault/new.md"]);
    list.want();
    await eventually(() => expect(list.files.get()).toHaveLength(4500));
    expect(service.requests).toHaveLength(4);
    expect(list.paths.get()?.has("vault/new.md")).toBe(true);
    expect(list.paths.get()?.has("vault/n10000.md")).toBe(false);
  });

  it.each(["the service is back", "somebody asks again"])(
    "that failed at first comes when %s",
    async (when) => {
      let isAway = true;
      const { service, list } = await listing([], () => isAway);
      list.want();
      await eventually(() => expect(service.requests).toHaveLength(1));
      isAway = false;
      // The first attempt ends some moments after it was asked for.
      await eventually(() => {
        if (when === "somebody asks again") list.want();
        else service.emit({ type: "resync" });
        expect(list.files.get()).toHaveLength(4499);
      });
    },
  );

  it("asks only for what changed, after a reload and after the service was away", async () => {
    const { service, list } = await listing([]);
    list.want();
    await eventually(() => expect(list.files.get()).toHaveLength(4499));
    service.emit({ type: "resync" });
    await eventually(() => expect(service.requests).toHaveLength(5));
    expect(service.requests.at(-1)).toBe("GET /api/files?since=v-2&limit=2000");
    list.keep();
    const reloaded = new FileList(service, () => new Date());
    reloaded.want();
    await eventually(() => expect(reloaded.files.get()).toHaveLength(4499));
    expect(service.requests).toHaveLength(6);
  });
});

/** As much of a browser's storage as is used. */
class TabStorage {
  readonly #kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.#kept.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.#kept.set(key, value);
  }
  removeItem(key: string): void {
    this.#kept.delete(key);
  }
}
