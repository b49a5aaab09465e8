import { chmodSync, existsSync, mkdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { acquireOwnership } from "../../jobs/owner/owner-lock.ts";
import { startStrangeOwner } from "../../server/testing/owner.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { field, startService, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

const FILES = { "a.md": "one\n", "b/c.md": "two\n", "b/d/e.md": "three\n" };

async function historyOf(place: TemporaryPlace): Promise<string> {
  return field(await place.json(["log", "--limit", "1"]), 0, "id");
}

describe("a change by a command, when a service runs", () => {
  it.each([
    [["write", "n.md", "--content", "x"]],
    [["edit", "a.md", "--old", "one", "--new", "1"]],
    [["append", "a.md", "more", "--bottom"]],
    [["move", "b", "f"]],
    [["delete", "b"]],
  ])("is made by it, and settled when the command ends: %j", async (argv) => {
    const place = temporaryPlace(FILES);
    const { service } = await startService(place);
    expect(await place.run(argv)).toMatchObject({ code: 0, stderr: "" });
    expect(service.settles).toBe(1);
    expect(await service.vault.log({ path: null, limit: 9 })).toMatchObject([
      { actor: "cli", call: argv[0] },
    ]);
    await place.run(["undo", await historyOf(place)]);
    expect(service.settles).toBe(2);
  });

  it("is made by it for init too", async () => {
    const place = temporaryPlace();
    const { service } = await startService(place);
    await place.run(["init"]);
    expect(await service.vault.log({ path: "overview.md", limit: 9 })).toMatchObject([
      { call: "init" },
    ]);
  });

  it("does not keep other commands from their answers", async () => {
    const place = temporaryPlace(FILES);
    const { service } = await startService(place);
    const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.onSettle = async () => {
      begun.resolve();
      await mayGoOn.promise;
    };
    let hasEnded = false;
    const running = place.run(["delete", "a.md"]).finally(() => (hasEnded = true));
    await begun.promise;
    expect(await place.run(["status"])).toMatchObject({ code: 0 });
    expect(hasEnded).toBe(false);
    mayGoOn.resolve();
    expect(await running).toMatchObject({ code: 0 });
  });

  it.each([
    [0, ["read", "a.md"]],
    [0, ["search", "one"]],
    [1, ["delete", "gone.md"]],
    [1, ["write", "a.md", "--content", "x"]],
  ])("is not waited for when there is none (exit %d): %j", async (code, argv) => {
    const place = temporaryPlace(FILES);
    const { service } = await startService(place);
    expect((await place.run(argv)).code).toBe(code);
    expect(service.settles).toBe(0);
  });

  it("may not be followed by the index: the command says so, and what it changed", async () => {
    const place = temporaryPlace(FILES);
    const { service, bugs } = await startService(place);
    service.onSettle = async () => {
      throw new Error("boom");
    };
    const { code, stdout, stderr } = await place.run(["delete", "a.md"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Deleted vault/a.md");
    expect(stderr).toMatch(
      /^The change is made, but tree.md and the search index could not follow it: /u,
    );
    expect(bugs).toEqual([new Error("boom")]);
  });

  it("is not repeated when the service ended and nobody knows whether it was made", async () => {
    const place = temporaryPlace(FILES);
    await startStrangeOwner(place.state, (_, response) => response.destroy());
    const { code, stderr } = await place.run(["delete", "a.md"]);
    expect(code).toBe(1);
    expect(stderr).toContain("Whether delete was done is not known");
    expect(existsSync(path.join(place.root, "a.md"))).toBe(true);
  });
});

describe("a command that only looks", () => {
  const LOOKS = [
    ["read", "a.md"],
    ["tree"],
    ["concat", "a.md:1"],
    ["search", "one"],
    ["recall", "one?"],
    ["inbox"],
    ["status"],
  ];

  it.each(LOOKS)("needs no lock: %s", async (...argv) => {
    const place = temporaryPlace(FILES);
    const ownership = acquireOwnership(place.state);
    onTestFinished(() => ownership?.release());
    expect(await place.run(argv)).toMatchObject({ code: 0, stderr: "" });
  });

  it.each(LOOKS)("needs no state folder that can be written: %s", async (...argv) => {
    const place = temporaryPlace(FILES);
    mkdirSync(place.state);
    chmodSync(place.state, 0o555);
    const ran = await asOrdinaryUser(path.dirname(place.root), async () => place.run(argv));
    expect(ran).toMatchObject({ code: 0, stderr: "" });
  });

  it.each(LOOKS)("changes no file of the vault: %s", async (...argv) => {
    const place = temporaryPlace(FILES);
    await place.run(argv);
    expect(existsSync(path.join(place.root, "tree.md"))).toBe(false);
  });
});
