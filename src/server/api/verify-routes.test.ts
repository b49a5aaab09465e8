import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { sha256 } from "../../evidence/line-bytes.ts";
import { simpleService } from "../testing/simple-service.ts";
import { createApp } from "./app.ts";

function served() {
  const vault = temporaryVault({ "a.md": "One.\nThe second line of it.\n" });
  const service = simpleService(vault);
  const app = createApp({
    service,
    version: "1.0.0",
    now: () => new Date(),
    onBug: (error) => {
      throw error;
    },
  });
  return {
    vault,
    verify: async (body: unknown): Promise<{ status: number; body: unknown }> => {
      const response = await app.request("/api/verify", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
  };
}

const SOURCE = { path: "vault/a.md", lines: "2-2", sha256: sha256("The second line of it.\n") };

it("verifies the sources it is given, or those of an answer's text", async () => {
  const { verify, vault } = served();
  const answer = `So [1].\n\n[1] vault/a.md:2-2 · sha256:${SOURCE.sha256}\n`;
  for (const body of [{ sources: [SOURCE] }, { evidence: [{ ...SOURCE, mark: 1 }] }, { answer }]) {
    expect(await verify(body)).toMatchObject({
      status: 200,
      body: { holds: true, sources: [{ path: "vault/a.md", lines: "2-2", state: "same" }] },
    });
  }
  writeFileSync(path.join(vault.root, "a.md"), "One.\nAnother line.\n");
  expect(await verify({ answer })).toMatchObject({
    body: { holds: false, sources: [{ state: "changed", mark: 1, to: null, by: null }] },
  });
});

it.each([
  [{}, "nothing to verify"],
  [{ sources: [] }, "nothing to verify"],
  [{ answer: "Because." }, "no source in it"],
  [{ sources: [{ path: "vault/a.md", lines: "x", sha256: "y" }] }, "not of the form"],
  [{ sources: [{ path: "vault/a.md", lines: "1" }] }, "by its sha256, or by its text"],
  [{ sources: [{ ...SOURCE, path: "../x.md" }] }, "leaves the vault"],
])("refuses %j", async (body, why) => {
  const { verify } = served();
  const { status, body: problem } = await verify(body);
  expect(status).toBe(400);
  expect(JSON.stringify(problem)).toContain(why);
});
