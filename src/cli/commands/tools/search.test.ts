import { describe, expect, it } from "vitest";

import { createService } from "../../../compose.ts";
import { deepSettings } from "../../../settings.ts";
import { startStrangeOwner } from "../../../server/testing/owner.ts";
import { startEmbeddingServer } from "../../../testing/models/embedding-server.ts";
import { NO_FILTER } from "../../../testing/suites/search-index-suite.ts";
import { startService, temporaryPlace } from "../../testing/cli.ts";

const files = {
  "projects/garden/state.md": "# State\nThe plum tree was planted by Ada.\n",
  "projects/roof/state.md": "# State\nSlates are ordered.\n",
  "bucket/old.md": "---\nupdated: 2020-05-01T10:00:00\n---\nA plum tart.\n",
};
const now = (): Date => new Date(2026, 2, 3, 12);

describe("coffre search", () => {
  it("shows the sections that match, best first", async () => {
    const { run } = temporaryPlace(files);
    const { code, stdout } = await run(["search", "who planted the plum tree"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^```vault\/projects\/garden\/state\.md \(lines 1-2\) · score 0\.\d\d\n/u,
    );
    expect(stdout).toContain("2  | The plum tree was planted by Ada.");
  });

  it("takes several wordings, scopes, dates and a limit", async () => {
    const { json } = temporaryPlace(files);
    const find = async (...argv: string[]): Promise<unknown> => json(["search", ...argv], { now });
    const garden = { path: "vault/projects/garden/state.md" };
    const roof = { path: "vault/projects/roof/state.md" };
    const old = { path: "vault/bucket/old.md" };
    expect(await find("slates", "planted")).toHaveLength(2);
    expect(await find("plum", "--scope", "projects/*/state.md")).toMatchObject([garden]);
    expect(await find("plum", "slates", "--scope", "bucket", "--scope=projects/roof")).toHaveLength(
      2,
    );
    expect(await find("plum", "--to", "5 years ago")).toMatchObject([old]);
    expect(await find("plum", "--from", "2021-01-01")).toMatchObject([garden]);
    expect(await find("slates", "plum", "--limit", "1")).toHaveLength(1);
    expect(await find("slates", "--mode", "deep")).toMatchObject([roof]);
    expect(await find("--", "plum -tart")).toMatchObject([garden]);
  });

  it("lists what happened between dates, without a word, the newest first", async () => {
    const { json, run } = temporaryPlace({
      "changelog.md": "# 2026-11-03\n\n## New\nb\n\n# 2026-10-01\n\n## Old\na\n",
      "log.md": "# 2026-11-05\n\n## Newest\nc\n",
    });
    expect(await json(["search", "--from", "2026-11-01", "--to", "2026-11-30"])).toMatchObject([
      { path: "vault/log.md" },
      { path: "vault/changelog.md", heading: "2026-11-03 > New" },
    ]);
    const { code, stderr } = await run(["search"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("dates alone")]);
  });

  it("sees what the command before it wrote", async () => {
    const { run } = temporaryPlace(files);
    await run(["append", "bucket/note.md", "A heron on the chimney", "--bottom"]);
    expect((await run(["search", "heron"])).stdout).toContain("A heron on the chimney");
  });

  it("asks the running service, whose answer is the same", async () => {
    const place = temporaryPlace(files);
    const alone = await place.run(["search", "plum"]);
    const { service } = await startService(place);
    let asked = 0;
    service.onSearch = async () => void (asked += 1);
    expect(await place.run(["search", "plum"])).toEqual(alone);
    expect(await place.json(["search", "zeppelin"])).toEqual([]);
    expect(asked).toBe(2);
    const refused = await place.run(["search", "plum", "--from", "someday"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("someday");
  });

  it("searches by itself when the service ends before it answers", async () => {
    const place = temporaryPlace(files);
    await startStrangeOwner(place.state, (_, response) => response.destroy());
    const { code, stdout, stderr } = await place.run(["search", "planted"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("vault/projects/garden/state.md");
  });

  it("exits 0 with an empty list when nothing matches", async () => {
    const { json, run } = temporaryPlace(files);
    expect(await json(["search", "zeppelin"])).toEqual([]);
    expect(await run(["search", "zeppelin"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^No match/u),
    });
  });

  it.each([
    [1, ["plum", "--from", "someday"]],
    [1, ["plum", "--limit", "99"]],
    [1, ["..."]],
    [2, []],
    [2, ["plum", "--mode", "slow"]],
    [2, ["plum", "--limit", "few"]],
  ])("exits %d for %j", async (code, argv) => {
    const { run } = temporaryPlace(files);
    const ran = await run(["search", ...argv]);
    expect(ran).toMatchObject({ code, stdout: "" });
    expect(ran.stderr).not.toBe("");
  });
});

describe("coffre search --mode deep", () => {
  it("searches by what a service has embedded, also without one", async () => {
    const server = await startEmbeddingServer();
    const environment = { COFFRE_EMBED_URL: server.url, COFFRE_EMBED_MODEL: "toy" };
    const place = temporaryPlace({ "a.md": "Une averse\n", "b.md": "La voiture\n" });
    const service = await createService({
      root: place.root,
      state: place.state,
      deep: deepSettings(place.state, environment),
    });
    const embedded = async (): Promise<number> => (await service.status()).deep.embedded;
    await expect.poll(embedded, { timeout: 30_000 }).toBe(2);
    const deep = await service.index.search({ ...NO_FILTER, mode: "deep", queries: ["pluie"] });
    await service.close();
    expect(deep.hits[0]?.path).toBe("a.md");
    const { stdout } = await place.run(["search", "pluie", "--mode", "deep"], { environment });
    expect(stdout).toContain("vault/a.md");
    expect(stdout).not.toContain("no model");
  });
});
