import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { expect, it } from "vitest";

import { createService } from "../../src/compose.ts";
import { deepSettings } from "../../src/settings.ts";
import { temporaryFolder, writeFiles } from "../../src/testing/temporary-vault.ts";
import { writeTinyModels } from "./tiny-models.ts";

const MAIN = path.join(import.meta.dirname, "../../src/cli/main.ts");

it("a service keeps QMD up to date, and a command without it searches with what is there", async () => {
  const folder = temporaryFolder();
  const [root, state, modelsFolder] = ["notes", "state", "models"].map((name) => {
    const made = path.join(folder, name);
    mkdirSync(made);
    return made;
  });
  if (root === undefined || state === undefined || modelsFolder === undefined) return;
  const deep = { models: writeTinyModels(modelsFolder) };
  writeFileSync(path.join(state, "coffre.json"), JSON.stringify({ deep }));
  const environment = { COFFRE_QMD: import.meta.dirname, COFFRE_MODELS: modelsFolder };
  writeFiles(root, { "meteo.md": "Une averse\n", "garage.md": "La voiture\n" });
  const settings = deepSettings(state, environment);
  const service = await createService({ root, state, deep: settings });
  const embedded = async (): Promise<number> => (await service.status()).deep.embedded;
  await expect.poll(embedded, { timeout: 60_000 }).toBe(2);
  writeFiles(root, { "visite.md": "Le medecin est venu\n" });
  await expect.poll(embedded, { timeout: 60_000 }).toBe(3);
  expect((await service.status()).deep).toMatchObject({ engine: "qmd", problem: null, pending: 0 });
  await service.close();
  const argv = [MAIN, "search", "docteur", "--mode", "deep", "--vault", root, "--state", state];
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    env: { ...process.env, ...environment },
    timeout: 60_000,
  });
  expect(stdout).toMatch(/^```vault\/visite\.md/u);
  expect(stdout).not.toContain("no model");
}, 240_000);
