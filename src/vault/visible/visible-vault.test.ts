import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { codeOf, refusalOf } from "../../testing/expected-error.ts";
import {
  callerOf,
  temporaryVault,
  textOf,
  type Caller,
  type Files,
} from "../../testing/temporary-vault.ts";
import { fillIndex } from "../../index/fill-index.ts";
import { MemoryIndex } from "../../index/create-index.ts";
import { VisibleIndex } from "../../index/visible-index.ts";
import { callTool } from "../../tools/call.ts";
import { createSession } from "../../tools/session.ts";
import type { LocalVault } from "../vault.ts";
import { privateFilter } from "./read-filter.ts";
import { VisibleVault } from "./visible-vault.ts";

const FILES: Files = {
  "a.md": "The kiln. See [[diary]].\n",
  "journal/diary.md": "The kiln is secret.\n",
  "house/roof.md": "The roof.\n",
  "house/secret.md": "---\nprivate: true\n---\nThe roof leaks.\n",
  "only/hidden.md": "---\nprivate: true\n---\nNobody knows.\n",
};

interface Seen {
  readonly whole: LocalVault;
  readonly vault: VisibleVault;
  /** Calls a tool as somebody does who does not see all. */
  readonly call: Caller["update"];
}

function seen(files: Files = FILES): Seen {
  const whole = temporaryVault(files);
  const vault = new VisibleVault(
    whole,
    privateFilter(() => ["journal"]),
  );
  const session = createSession("test");
  const call: Caller["update"] = async (name, args) => {
    const index = new MemoryIndex();
    await fillIndex(whole, index);
    const given = { vault, index: new VisibleIndex(index, vault), session, batch: null };
    return callTool(name, args, { ...given, profile: "update", now: () => new Date() });
  };
  return { whole, vault, call };
}

async function filesOf(vault: Pick<LocalVault, "walk">): Promise<string[]> {
  return Array.fromAsync(vault.walk(""), (file) => file.path);
}

it("a search looks up the files that it shows, not all that it finds", async () => {
  const notes = Array.from({ length: 60 }, (_, at) => [`n/${at}.md`, `The kiln, ${at}.\n`]);
  const { whole } = seen({ ...FILES, ...Object.fromEntries(notes) });
  const index = new MemoryIndex();
  await fillIndex(whole, index);
  whole.totals.scan();
  const lookedUp = new Set<string>();
  const find = whole.find.bind(whole);
  whole.find = async (file) => {
    lookedUp.add(file);
    return find(file);
  };
  const vault = new VisibleVault(
    whole,
    privateFilter(() => ["journal"]),
  );
  const session = createSession("test");
  const given = { vault, index: new VisibleIndex(index, vault), session, batch: null };
  const context = { ...given, profile: "update", now: () => new Date() } as const;
  const answer = textOf(await callTool("search", { queries: ["kiln"] }, context));
  expect(answer).toContain("results left out");
  const shown = new Set(answer.replaceAll("vault/", "").match(/\w+(?:\/\w+)?\.md/gu));
  expect(shown.size).toBeGreaterThan(1);
  expect([...lookedUp].filter((file) => !shown.has(file))).toEqual([]);
});

describe.each([false, true])("what is hidden (the tree is known: %s)", (isWarm) => {
  function start(files: Files = FILES): Seen {
    const started = seen(files);
    if (isWarm) started.whole.totals.scan();
    return started;
  }

  it("is in no list and no total", async () => {
    const { vault, call } = start();
    expect(await filesOf(vault)).toEqual(["house/roof.md", "a.md"]);
    expect((await vault.list("")).map(({ name }) => name)).toEqual(["house", "a.md"]);
    const root = await vault.shape("");
    expect(root).toMatchObject({ kind: "folder", files: 2, tokens: 10 });
    const tree = textOf(await call("tree", {}));
    expect(tree).toContain("roof.md");
    expect(tree).not.toMatch(/journal|secret|only|diary|hidden/u);
    const listing = await vault.openText("tree.md");
    expect(listing.range(1, listing.totalLines).lines.join("\n")).not.toMatch(
      /journal|secret|only/u,
    );
  });

  it("is answered as something that is not there", async () => {
    const { vault, call } = start();
    for (const place of [
      "journal",
      "journal/diary.md",
      "JOURNAL/diary.md",
      "house/secret.md",
      "only",
    ]) {
      expect(await vault.find(place), place).toEqual({ kind: "missing" });
      const refusal = await refusalOf(async () => vault.get(place));
      expect(refusal?.code, place).toBe("not_found");
      expect(refusal?.message.replace(`vault/${place}`, "")).not.toMatch(
        /journal|diary|secret|hidden/u,
      );
      expect(await codeOf(async () => vault.openText(place)), place).toBe("not_found");
      expect(await codeOf(async () => vault.readBytes(place, 10)), place).toBe("not_found");
      expect(await codeOf(async () => vault.shape(place)), place).toBe("not_found");
    }
    const near = textOf(await call("read", { paths: "vault/house/secre.md" }));
    expect(near).not.toContain("secret.md");
    expect(textOf(await call("search", { queries: ["kiln"] }))).not.toContain("secret");
    expect(textOf(await call("search", { queries: ["leaks"] }))).not.toContain("leaks");
  });

  it("is neither shown nor counted by a search, from the moment that it says so", async () => {
    const notes = Array.from({ length: 30 }, (_, at) => [`n/${at}.md`, `The kiln, ${at}.\n`]);
    const { whole, vault } = start({ ...FILES, ...Object.fromEntries(notes) });
    const index = new MemoryIndex();
    await fillIndex(whole, index);
    const given = { vault, index: new VisibleIndex(index, vault), batch: null };
    const found = async (): Promise<string[]> => {
      const context = { ...given, session: createSession("test"), now: () => new Date() };
      const args = { queries: ["kiln"], limit: 50 };
      const answer = textOf(await callTool("search", args, { ...context, profile: "update" }));
      return [
        ...new Set(answer.replaceAll("vault/", "").match(/[a-z]+(?:\/\w+)?\.md/gu)),
      ].toSorted();
    };
    const all = ["a.md", ...notes.map(([file = ""]) => file)].toSorted();
    expect(await found()).toEqual(all);
    writeFileSync(path.join(whole.root, "n/0.md"), "---\nprivate: true\n---\nThe kiln, hidden.\n");
    const left = all.filter((file) => file !== "n/0.md");
    expect(await found()).toEqual(left);
    // The index knows it by now, and what was measured before does not.
    await fillIndex(whole, index);
    expect(await found()).toEqual(left);
    const request = { queries: ["kiln"], mode: "fast", scope: null, limit: 50 } as const;
    const { hits } = await given.index.search({ ...request, from: null, to: null });
    expect(hits.map((hit) => hit.path).toSorted()).toEqual(left);
  });

  it("does not say why it cannot be opened", async () => {
    const { vault, call } = start();
    expect(await codeOf(async () => vault.openText("house"))).toBe("not_a_file");
    expect(await codeOf(async () => vault.openText("only"))).toBe("not_found");
    const asked = textOf(await call("read", { paths: "only" }));
    expect(asked).toBe(textOf(await call("read", { paths: "zzzz" })).replaceAll("zzzz", "only"));
  });

  it("takes nothing new, and says no more than that", async () => {
    const { whole, call } = start();
    const before = await filesOf(whole);
    const refused = new Set<string>();
    for (const place of [
      "journal/new.md",
      "journal/diary.md",
      "house/secret.md",
      "only/hidden.md",
    ]) {
      for (const [name, args] of [
        ["write", { path: place, content: "x" }],
        ["append", { path: place, content: "x", position: "top" }],
        ["move", { from: "vault/a.md", to: place }],
      ] as const) {
        const result = await call(name, args);
        expect(result.isError, `${name} ${place}`).toBe(true);
        refused.add(textOf(result).replaceAll(`vault/${place}`, "X"));
      }
      expect((await call("delete", { path: place })).isError).toBe(true);
      expect((await call("move", { from: place, to: "vault/b.md" })).isError).toBe(true);
    }
    expect([...refused]).toEqual([
      "Error (protected): X cannot be used here. Choose another path.",
    ]);
    expect(await filesOf(whole)).toEqual(before);
  });

  it("stays when the folder that it lies in is deleted or moved", async () => {
    const { whole, vault, call } = start();
    expect((await call("move", { from: "vault/house/", to: "vault/home" })).isError).toBe(false);
    expect(await filesOf(vault)).toEqual(["home/roof.md", "a.md"]);
    expect(await vault.find("house")).toEqual({ kind: "missing" });
    expect((await call("write", { path: "house/x.md", content: "x" })).isError).toBe(false);
    expect((await call("delete", { path: "vault/house/" })).isError).toBe(false);
    expect(await filesOf(whole)).toContain("house/secret.md");
    expect(await filesOf(whole)).not.toContain("house/x.md");
  });

  it("is hidden as soon as a note says so, and seen when it no longer does", async () => {
    const { vault, whole } = start();
    const set = async (text: string): Promise<void> => {
      await whole.change(
        { actor: "person", call: "edit", batch: null },
        async ({ writer, readWhole }) => writer.update(await readWhole("a.md"), Buffer.from(text)),
      );
    };
    await set("---\nprivate: true\n---\nThe kiln.\n");
    expect(await filesOf(vault)).toEqual(["house/roof.md"]);
    expect(await vault.find("a.md")).toEqual({ kind: "missing" });
    await set("---\nprivate: false\n---\nThe kiln.\n");
    expect(await filesOf(vault)).toEqual(["house/roof.md", "a.md"]);
  });

  it("is not named by a link to the listing", async () => {
    const { vault, whole } = start();
    const listing = await whole.openText("tree.md");
    const { lines } = listing.range(1, listing.totalLines);
    expect(lines.join("\n")).toContain("journal");
    writeFileSync(path.join(whole.root, "tree.md"), `${lines.join("\n")}\n`);
    symlinkSync("tree.md", path.join(whole.root, "listing.md"));
    const own = await vault.openText("tree.md");
    const linked = await vault.openText("listing.md");
    expect(linked.range(1, linked.totalLines)).toEqual(own.range(1, own.totalLines));
    const { bytes } = await vault.readBytes("listing.md", 10_000);
    expect(bytes.toString("utf8")).not.toContain("journal");
  });

  it("is not reached by a link", async () => {
    const { vault, whole } = start();
    mkdirSync(path.join(whole.root, "links"));
    symlinkSync("../journal/diary.md", path.join(whole.root, "links", "note.md"));
    symlinkSync("../journal", path.join(whole.root, "links", "folder"));
    for (const place of ["links/note.md", "links/folder/diary.md", "links/folder"])
      expect(await vault.find(place), place).toEqual({ kind: "missing" });
    expect(await filesOf(vault)).toEqual(["house/roof.md", "a.md"]);
    const created = vault.change({ actor: "x", call: "write", batch: null }, async ({ writer }) =>
      writer.create("links/folder/new.md", Buffer.from("x")),
    );
    expect(await codeOf(async () => created)).toBe("protected");
  });
});

it("changes of what is hidden are in no history, and cannot be taken back", async () => {
  const { vault, whole } = seen();
  const person = callerOf(whole);
  await person.update("append", { path: "journal/diary.md", content: "x", position: "bottom" });
  await person.update("append", { path: "a.md", content: "x", position: "bottom" });
  const entries = await whole.log({ path: null, limit: 10 });
  expect(entries).toHaveLength(2);
  expect(await vault.log({ path: null, limit: 10 })).toMatchObject([
    { changes: [{ path: "a.md" }] },
  ]);
  const id = entries[1]?.id ?? "";
  const unknown = await refusalOf(async () => vault.undo("zzzz", { actor: "x", force: false }));
  const hidden = await refusalOf(async () => vault.undo(id, { actor: "x", force: false }));
  expect(hidden?.message).toBe(unknown?.message.replace("zzzz", id));
});
