import { chmodSync, readFileSync, utimesSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import {
  answeringGuard,
  OwnPaths,
  standingBefore,
  untrustedGuard,
} from "../agents/update/write-guards.ts";
import { createService } from "../compose.ts";
import { MemoryIndex } from "../index/create-index.ts";
import { fillIndex } from "../index/fill-index.ts";
import {
  callerOf,
  temporaryFolder,
  temporaryVault,
  textOf,
  writeFiles,
} from "../testing/temporary-vault.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import type { ChangeGuard } from "../vault/history/history-types.ts";
import type { LocalVault } from "../vault/vault.ts";
import { callTool } from "./call.ts";
import type { CallResult } from "./call-result.ts";
import { createSession } from "./session.ts";

const FILES = {
  "projects/garden/state.md": 'See [[plan]] and [the plan](plan.md#beds "Beds").\n',
  "projects/garden/plan.md": "# Plan\n\n[state](state.md) ![bed](../../bucket/bed.png)\n",
  "bucket/bed.png": "not really an image",
  "overview.md": "- [[projects/garden/plan|The plan]] `[[plan]]`\n",
  "inbox/one/review.md": "About [[plan#beds]].\n",
};

function textIn(vault: LocalVault, file: string): string {
  return readFileSync(path.join(vault.root, file), "utf8");
}

async function guarded(
  vault: LocalVault,
  guard: ChangeGuard,
  from: string,
  to: string,
): Promise<CallResult> {
  const index = new MemoryIndex();
  await fillIndex(vault, index);
  const common = { vault, index, session: createSession("agent"), now: () => new Date() };
  return callTool("move", { from, to }, { ...common, profile: "update", batch: null, guard });
}

it("rewrites the links to a note that moved and those in it, as one change", async () => {
  const vault = temporaryVault(FILES);
  const before = snapshotOf(vault.root);
  const result = await callerOf(vault).update("move", {
    from: "projects/garden/plan.md",
    to: "projects/garden/2026/year plan.md",
  });
  expect(textOf(result)).toMatch(
    /^Moved .* to .*year plan\.md\. Rewrote 6 links in 4 files\. History: \w+\.$/u,
  );
  expect(result.structured).toMatchObject({
    links: { rewritten: 6, files: 4, left: 0, left_in: [] },
  });
  expect(textIn(vault, "projects/garden/state.md")).toBe(
    'See [[year plan]] and [the plan](2026/year%20plan.md#beds "Beds").\n',
  );
  expect(textIn(vault, "overview.md")).toBe(
    "- [[projects/garden/2026/year plan|The plan]] `[[plan]]`\n",
  );
  expect(textIn(vault, "inbox/one/review.md")).toBe("About [[year plan#beds]].\n");
  expect(textIn(vault, "projects/garden/2026/year plan.md")).toBe(
    "# Plan\n\n[state](../state.md) ![bed](../../../bucket/bed.png)\n",
  );
  const entries = await vault.log({ path: null, limit: 5 });
  expect(entries).toHaveLength(1);
  await vault.undo(entries[0]?.id ?? "", { actor: "test", force: false });
  expect(snapshotOf(vault.root)).toEqual(before);
});

it("moves a folder with all in it, images too, and other notes still show them", async () => {
  const vault = temporaryVault({ ...FILES, "note.md": "![](bucket/bed.png) [all](bucket/)\n" });
  const { structured } = await callerOf(vault).update("move", { from: "bucket", to: "archive/b" });
  expect(structured).toMatchObject({ links: { rewritten: 3, files: 2 } });
  expect(textIn(vault, "note.md")).toBe("![](archive/b/bed.png) [all](archive/b/)\n");
  expect(textIn(vault, "projects/garden/plan.md")).toContain("![bed](../../archive/b/bed.png)");
});

it("leaves every link as it is written when the caller says so", async () => {
  const vault = temporaryVault(FILES);
  const args = { from: "projects/garden/plan.md", to: "plan-2.md", update_links: false };
  const { structured } = await callerOf(vault).update("move", args);
  expect(structured).toMatchObject({ links: null });
  expect(textIn(vault, "projects/garden/state.md")).toBe(FILES["projects/garden/state.md"]);
  expect(textIn(vault, "plan-2.md")).toBe(FILES["projects/garden/plan.md"]);
});

it("counts and names the links in files that the caller may not change", async () => {
  const vault = temporaryVault({
    ...FILES,
    "bucket/mail.md": "m\n",
    "a.md": "[[mail]] [[mail]]\n",
  });
  const guard = untrustedGuard(await standingBefore(vault), new OwnPaths(["bucket/mail.md"]));
  const result = await guarded(vault, guard, "bucket/mail.md", "bucket/letter.md");
  expect(result.structured).toMatchObject({
    links: { rewritten: 0, files: 0, left: 2, left_in: ["vault/a.md"] },
  });
  expect(textOf(result)).toContain(
    "Left 2 links to the old path, which could not be changed: vault/a.md.",
  );
  expect(textIn(vault, "a.md")).toBe("[[mail]] [[mail]]\n");
});

it("a run that answers an inbox item files it, and the links to it follow", async () => {
  const vault = temporaryVault({ ...FILES, "tasks.md": "- [ ] [[inbox/one/review]]\n" });
  const result = await guarded(
    vault,
    answeringGuard("inbox/one", "", new OwnPaths(["inbox/one"])),
    "inbox/one",
    "projects/garden/one",
  );
  expect(result.structured).toMatchObject({ links: { rewritten: 1, left: 0 } });
  expect(textIn(vault, "tasks.md")).toBe("- [ ] [[projects/garden/one/review]]\n");
});

it("does not write to a file that its owner may not write", async () => {
  const vault = temporaryVault({ "a.md": "[[b]]\n", "b.md": "b\n" });
  chmodSync(path.join(vault.root, "a.md"), 0o444);
  const { structured } = await callerOf(vault).update("move", { from: "b.md", to: "c.md" });
  expect(structured).toMatchObject({ links: { rewritten: 0, left: 1, left_in: ["vault/a.md"] } });
});

it.each(["all", "none"] as const)(
  "keeps the time of the notes whose links were rewritten, and of the note that moved (frontmatter: %s)",
  async (frontmatter) => {
    const folder = temporaryFolder();
    const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
    writeFiles(root, {
      "a.md": "[[b]] and [b](d/b.md)\n",
      "d/b.md": "[a](../a.md)\n",
      "c.md": "[[b]]\n",
    });
    const old = new Date("2020-02-03T10:00:00");
    for (const file of ["a.md", "d/b.md", "c.md"]) utimesSync(path.join(root, file), old, old);
    const service = await createService({ root, state, frontmatter });
    try {
      await service.settled();
      const { vault, index } = service;
      const session = createSession("test");
      const context = { vault, index, session, now: () => new Date(), batch: null };
      const times = async (...files: string[]): Promise<unknown[]> =>
        Promise.all(
          files.map(async (file) => {
            const node = await vault.shape(file);
            return node.kind === "file" ? node.facts.changed : null;
          }),
        );
      const args = { from: "d/b.md", to: "e/f/new.md" };
      const { structured } = await callTool("move", args, { ...context, profile: "update" });
      expect(structured).toMatchObject({ links: { rewritten: 4, files: 3 } });
      await service.settled();
      const kept = "2020-02-03T10:00:00";
      expect(await times("a.md", "e/f/new.md", "c.md")).toEqual([kept, kept, kept]);
      if (frontmatter === "all") expect(textIn(vault, "a.md")).toContain(`updated: ${kept}`);
      expect((await index.links.to("e/f/new.md")).map(({ from }) => from)).toEqual([
        "a.md",
        "a.md",
        "c.md",
      ]);
      await vault.undo(String(Object(structured).history), { actor: "test", force: false });
      await service.settled();
      expect(await times("a.md", "d/b.md", "c.md")).toEqual([kept, kept, kept]);
    } finally {
      await service.close();
    }
  },
);
