import { describe, expect, it } from "vitest";

import { startStrangeOwner } from "../../server/testing/owner.ts";
import { field, startService, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

const FILES = { "a.md": "one\n", "b/c.md": "two\n", "b/d/e.md": "three\n" };

async function historyOf(place: TemporaryPlace): Promise<string> {
  return field(await place.json(["log", "--limit", "1"]), 0, "id");
}

describe("after a change by a command, the running service", () => {
  it.each([
    [["write", "n.md", "--content", "x"], ["n.md"]],
    [["edit", "a.md", "--old", "one", "--new", "1"], ["a.md"]],
    [["append", "a.md", "more", "--bottom"], ["a.md"]],
    [
      ["move", "b", "f"],
      ["b", "f"],
    ],
    [["delete", "b"], ["b"]],
  ])("is told of it: %j", async (argv, paths) => {
    const place = temporaryPlace(FILES);
    const { service } = await startService(place);
    expect(await place.run(argv)).toMatchObject({ code: 0, stderr: "" });
    expect(service.told).toEqual([paths]);
    await place.run(["undo", await historyOf(place)]);
    expect(service.told).toHaveLength(2);
    expect(service.told[1]?.toSorted()).toEqual(paths);
  });

  it("is told of what init adds", async () => {
    const place = temporaryPlace();
    const { service } = await startService(place);
    await place.run(["init"]);
    expect(service.told[0]).toContain("overview.md");
  });

  it("has taken it in when the command ends", async () => {
    const place = temporaryPlace(FILES);
    const { service } = await startService(place);
    const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    service.onChanged = async () => {
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
    [0, ["move", "a.md", "a.md"]],
    [1, ["delete", "gone.md"]],
    [1, ["write", "a.md", "--content", "x"]],
  ])("is told nothing when nothing changed (exit %d): %j", async (code, argv) => {
    const place = temporaryPlace(FILES);
    const { service } = await startService(place);
    expect((await place.run(argv)).code).toBe(code);
    expect(service.told).toEqual([]);
  });

  it("may fail to follow: the change is made, and the command says what happened", async () => {
    const place = temporaryPlace(FILES);
    const { service, bugs } = await startService(place);
    service.onChanged = async () => {
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

  it("may have ended: then there is nobody to tell", async () => {
    const place = temporaryPlace(FILES);
    await startStrangeOwner(place.state, (_, response) => response.destroy());
    expect(await place.run(["delete", "a.md"])).toMatchObject({ code: 0, stderr: "" });
    expect((await place.run(["read", "a.md"])).code).toBe(1);
  });
});
