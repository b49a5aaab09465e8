import { once } from "node:events";

import { expect, it, onTestFinished } from "vitest";

import { createHttpServer } from "../../server/http/http-server.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call } from "../../testing/models/house-script.ts";
import { startScriptedModel } from "../../testing/models/scripted-model.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";
import { createVault } from "../../vault/vault.ts";
import { ownVault, type OwnedVault } from "./own-vault.ts";
import { Screen } from "../output/screen.ts";
import { coffre, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";
import { connectMcp } from "../testing/mcp-client.ts";

const WRITES: readonly (readonly [string, Record<string, unknown>])[] = [
  ["write", { path: "vault/new.md", content: "x" }],
  ["append", { path: "vault/tasks.md", content: "x", position: "top" }],
  ["edit", { path: "vault/tasks.md", old_content: "Renew", new_content: "x" }],
  ["move", { from: "vault/projects/boat/", to: "vault/bucket/" }],
  ["delete", { path: "vault/projects/" }],
];

interface Home {
  readonly place: TemporaryPlace;
  readonly owned: OwnedVault;
  readonly environment: Readonly<Record<string, string>>;
  /** How many of the model's calls were refused as tools that do not exist. */
  readonly refused: () => number;
}

/** A service whose model does nothing but try to write. */
async function homeOf(): Promise<Home> {
  const model = await startScriptedModel("openai", ({ last }) =>
    last.includes("unknown_tool")
      ? { text: "I could not." }
      : { calls: WRITES.map(([name, args]) => call(name, args)) },
  );
  onTestFinished(() => model.close());
  const environment = {
    COFFRE_MODEL: "openai-compatible/scripted",
    COFFRE_BASE_URL: model.baseUrl,
  };
  const place = temporaryPlace(houseFiles);
  const nowhere = { write: () => true };
  const screen = new Screen({ stdout: nowhere, stderr: nowhere, environment, json: false });
  const { root, state } = place;
  const owned = await ownVault({ root, state }, { now: () => new Date(), screen, environment });
  if (owned === null) throw new Error("the vault has an owner already");
  onTestFinished(() => owned.close());
  await owned.service.settled();
  const refused = (): number => model.requests.at(-1)?.body.match(/unknown_tool/gu)?.length ?? 0;
  return { place, owned, environment, refused };
}

async function overHttp({ owned }: Home): Promise<void> {
  const { server, close } = createHttpServer(() => owned.app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(close);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const body = JSON.stringify({ question: "Who does the roof?" });
  await fetch(`http://127.0.0.1:${port}/api/search`, { method: "POST", body });
}

const TRANSPORTS: Readonly<Record<string, (home: Home) => Promise<unknown>>> = {
  "the memory itself": async ({ owned }) => owned.service.memory?.recall("Who does the roof?"),
  HTTP: overHttp,
  "the command line, through the service": async ({ place, environment }) =>
    place.run(["recall", "Who does the roof?"], { environment }),
  "the command line, by itself": async ({ place, owned, environment }) => {
    await owned.close();
    return coffre(["recall", "Who?", "--vault", place.root, "--state", place.state], {
      environment,
    });
  },
};

it.each(Object.keys(TRANSPORTS))("the search agent cannot write over %s", async (name) => {
  const home = await homeOf();
  const before = snapshotOf(home.place.root);
  await TRANSPORTS[name]?.(home);
  expect(home.refused()).toBeGreaterThanOrEqual(WRITES.length);
  expect(snapshotOf(home.place.root)).toEqual(before);
});

it("an MCP client of the search profile cannot write", async () => {
  const place = temporaryPlace(houseFiles);
  const { client } = await connectMcp(place, { profile: "search" });
  for (const [name, args] of WRITES) {
    await expect(client.callTool({ name, arguments: args }), name).rejects.toThrow("no tool");
  }
  // The history has every change but the service's own stamps.
  const vault = createVault({ root: place.root, state: place.state });
  onTestFinished(() => vault.close());
  expect(await vault.log({ path: null, limit: 10 })).toEqual([]);
});
