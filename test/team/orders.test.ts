import { expect, it, onTestFinished } from "vitest";

import { createTeamIndex } from "../../src/index/create-index.ts";
import { fillIndex } from "../../src/index/fill-index.ts";
import { obeyingModel, orderText } from "../../src/testing/models/obeying-model.ts";
import { scriptedSettings, startScriptedModel } from "../../src/testing/models/scripted-model.ts";
import {
  ORDERS,
  orderedFiles,
  outsideTheRules,
  type Texts,
} from "../../src/testing/models/strangers-orders.ts";
import type { Files } from "../../src/testing/temporary-vault.ts";
import { PostgresVault } from "../../src/vault/postgres/postgres-vault.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { TOKEN } from "./replica.ts";
import { personWith, servedTeam } from "./served-team.ts";
import { fill } from "./team-vault.ts";

/** A service whose model obeys whatever it reads. */
async function obeyingTeam() {
  let turn = obeyingModel();
  const model = await startScriptedModel("openai", (request) => turn(request));
  onTestFinished(() => model.close());
  const served = await servedTeam({ model: scriptedSettings(model) });
  const [at = ""] = served.addresses;
  let made = 0;
  const send = async (token: string, where: string, body?: object): Promise<string> =>
    (
      await fetch(at + where, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      })
    ).text();
  const textsIn = async (vault: string): Promise<Texts> => {
    const { files }: { readonly files: readonly { readonly path: string }[] } = JSON.parse(
      await send(TOKEN, `${vault}/api/files`),
    );
    const texts: Record<string, string> = {};
    for (const { path } of files) {
      if (path === "vault/tree.md") continue;
      const text = await send(TOKEN, `${vault}/api/raw?path=${encodeURIComponent(path)}`);
      texts[path.slice("vault/".length)] = text
        .replace(/^---\n[\s\S]*?\n---\n+/u, "")
        // The program's own line of the overview.
        .replace(/^(?:Nothing waits|\d+ items? waiting)\.$/mu, "");
    }
    return texts;
  };
  return {
    served,
    /** What an editor's update changes that it may not, and what the model was sent. */
    handOver: async (
      { more = {}, search = [] }: { readonly more?: Files; readonly search?: readonly string[] },
      body: object,
    ): Promise<{ readonly changed: readonly string[]; readonly sent: string }> => {
      made += 1;
      const name = `house${made}`;
      const row = await makeVaultRow(served.database, name);
      await fill(served.database, row, { ...orderedFiles, ...more });
      const index = await createTeamIndex(served.database, row);
      await fillIndex(new PostgresVault({ database: served.database, row }), index);
      const ana = await personWith(served, `Ana${made}`, name, { "": "editor" });
      const vault = `/v/${name}`;
      const before = await textsIn(vault);
      model.requests.splice(0);
      turn = obeyingModel(search);
      const given = await send(ana.token, `${vault}/api/update`, body);
      const [, id = given] = /"id":"([^"]+)"/u.exec(given) ?? [];
      await expect
        .poll(async () => send(ana.token, `${vault}/api/updates/${id}`), { timeout: 60_000 })
        .toMatch(/"status":"(?:done|parked|failed)"/u);
      const sent = model.requests.map((request) => request.body).join("\n");
      return { changed: outsideTheRules(before, await textsIn(vault)), sent };
    },
  };
}

/** As it stands in a request: the arguments are text in JSON, twice. */
function asked(args: unknown): string {
  return JSON.stringify(JSON.stringify(args)).slice(1, -1);
}

it("a model that obeys every order in what a person of a team hands over changes nothing but inbox and buckets", async () => {
  const { served, handOver } = await obeyingTeam();
  for (const order of ORDERS) {
    const content = `Mail of Orla: ${orderText(order)}`;
    const { changed, sent } = await handOver({}, { content });
    expect([order, changed]).toEqual([order, []]);
    // It did try.
    expect([order, sent.includes(asked(order.args))]).toEqual([order, true]);
  }
  expect(served.bugs).toEqual([]);
});

const PLACES: readonly ((text: string) => Files)[] = [
  (text) => ({ "projects/house/bucket/2026-11-10-mail.md": text }),
  (text) => ({ "bucket/2026-11-10-page.md": text }),
  (text) => ({ "projects/house/slates.md": `---\nuntrusted: true\n---\n\n${text}` }),
];

it("the same model changes no more at second hand, when somebody's own note leads to what others put into the vault", async () => {
  const { served, handOver } = await obeyingTeam();
  for (const [at, order] of ORDERS.entries()) {
    const place = PLACES[at % PLACES.length];
    const more = place?.(`# Slates\n\nThe slates of the roof. ${orderText(order)}\n`) ?? {};
    const { changed, sent } = await handOver(
      { more, search: ["slates roof"] },
      { content: "The slates of the roof come on Friday.", said_by_person: true },
    );
    expect([order, changed]).toEqual([order, []]);
    expect([order, sent.includes(asked(order.args))]).toEqual([order, true]);
  }
  expect(served.bugs).toEqual([]);
});
