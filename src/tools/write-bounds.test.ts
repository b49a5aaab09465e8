import { symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { MemoryIndex } from "../index/create-index.ts";
import { temporaryVault, textOf } from "../testing/temporary-vault.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import { callTool } from "./call.ts";
import type { CallResult } from "./call-result.ts";
import { createSession } from "./session.ts";
import { boundedTo } from "../index/write-bounds.ts";

const FILES = {
  "overview.md": "# Overview\n",
  "projects/x/state.md": "The pump\n",
  "projects/x-2/state.md": "The oars\n",
  "projects/y/state.md": "The oven\n",
};

interface Bounded {
  readonly root: string;
  readonly call: (name: string, args: object) => Promise<CallResult>;
}

function bounded(...globs: string[]): Bounded {
  const vault = temporaryVault(FILES);
  const session = createSession("test");
  const common = { vault, index: new MemoryIndex(), session, now: () => new Date(), batch: null };
  const context = { ...common, profile: "update", guard: boundedTo(globs) } as const;
  return { root: vault.root, call: async (name, args) => callTool(name, args, context) };
}

const add = (at: string) => ["append", { path: at, content: "x", position: "bottom" }] as const;

describe("a caller that may write only to some places", () => {
  it.each([
    add("projects/x/state.md"),
    add("projects/x/deep/new.md"),
    ["move", { from: "projects/x/state.md", to: "projects/x/old.md" }] as const,
    ["delete", { path: "projects/x/state.md" }] as const,
  ])("can %s there: %j", async (name, args) => {
    const { call } = bounded("projects/x/**");
    expect((await call(name, args)).isError).toBe(false);
  });

  it.each([
    add("overview.md"),
    add("new.md"),
    add("projects/x-2/state.md"),
    add("projects/x/link.md"),
    add("projects/x/../y/state.md"),
    ["write", { path: "projects/y/new.md", content: "x" }] as const,
    ["move", { from: "projects/x/state.md", to: "projects/y/moved.md" }] as const,
    ["move", { from: "projects/y/state.md", to: "projects/x/taken.md" }] as const,
    ["delete", { path: "projects/" }] as const,
  ])("cannot %s elsewhere: %j", async (name, args) => {
    const { root, call } = bounded("projects/x/**");
    symlinkSync("../y/state.md", path.join(root, "projects/x/link.md"));
    const before = snapshotOf(root);
    const result = await call(name, args);
    expect(result.structured).toMatchObject({ error: { code: "protected" } });
    expect(textOf(result)).toContain("it may write only to vault/projects/x/**.");
    expect(snapshotOf(root)).toEqual(before);
  });

  it("can read everything, and takes several places", async () => {
    const { call } = bounded("vault/projects/*/state.md", "inbox");
    expect((await call("read", { paths: "overview.md" })).isError).toBe(false);
    for (const at of ["projects/y/state.md", "inbox/a.md"]) {
      expect((await call(...add(at))).isError).toBe(false);
    }
    expect(textOf(await call(...add("overview.md")))).toContain(
      "only to vault/projects/*/state.md, vault/inbox.",
    );
  });

  it.each(["", "../x", "/etc", "a[b"])("cannot be bounded to %j", (glob) => {
    expect(() => boundedTo([glob])).toThrow(/./u);
  });
});
