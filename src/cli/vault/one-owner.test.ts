import { existsSync, rmSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { serve, spawnCoffre, temporaryPlace } from "../testing/cli.ts";

it("refuses a second owner in a state folder that was removed under the first", async () => {
  const place = temporaryPlace({ "a.md": "a\n" });
  const { root, state } = place;
  const first = await serve(place);
  // The owner may write into the folder while it is being removed.
  rmSync(state, { recursive: true, maxRetries: 50, retryDelay: 20 });
  const second = await spawnCoffre([
    "append",
    "b.md",
    "b",
    "--bottom",
    "--vault",
    root,
    "--state",
    state,
  ]);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`The process ${first.process.pid} owns the vault ${root}`);
  expect(existsSync(path.join(root, "b.md"))).toBe(false);
  await first.kill();
  const third = await spawnCoffre([
    "append",
    "b.md",
    "b",
    "--bottom",
    "--vault",
    root,
    "--state",
    state,
  ]);
  expect(third).toMatchObject({ code: 0, stderr: "" });
});

it("follows the owner of a vault to another state folder, and refuses a third one", async () => {
  const place = temporaryPlace({ "a.md": "a\n" });
  const { root, state } = place;
  await serve(place);
  const other = await spawnCoffre([
    "append",
    "b.md",
    "b",
    "--bottom",
    "--vault",
    root,
    "--state",
    `${state}-2`,
  ]);
  expect(other.code).toBe(1);
  expect(other.stderr).toContain(`It keeps the vault's state in ${state}`);
  expect(existsSync(path.join(root, "b.md"))).toBe(false);
  const plain = await spawnCoffre(["append", "c.md", "c", "--bottom", "--vault", root]);
  expect(plain).toMatchObject({ code: 0, stderr: "" });
  const log = await spawnCoffre(["log", "--json", "--vault", root, "--state", state]);
  expect(log.stdout).toContain("c.md");
});
