import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { create } from "../../testing/suites/changes.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";

it("writes nothing when its state folder was removed, also when another was made in its place", async () => {
  const vault = temporaryVault();
  await create(vault, "a.md", "a\n");
  expect(vault.writeProblem()).toBeNull();
  rmSync(vault.state, { recursive: true });
  expect(vault.writeProblem()).toContain(`${vault.state} was removed or replaced`);
  expect((await refusalOf(() => create(vault, "b.md", "b\n")))?.code).toBe("unavailable");
  expect(existsSync(path.join(vault.root, "b.md"))).toBe(false);
});

it("goes on when the same state folder is back", async () => {
  const vault = temporaryVault();
  await create(vault, "a.md", "a\n");
  renameSync(vault.state, `${vault.state}-away`);
  expect((await refusalOf(() => create(vault, "b.md", "b\n")))?.code).toBe("unavailable");
  renameSync(`${vault.state}-away`, vault.state);
  await create(vault, "b.md", "b\n");
  expect(existsSync(path.join(vault.root, "b.md"))).toBe(true);
});

it("changes nothing when its history was removed, since it could not be undone", async () => {
  const vault = temporaryVault();
  await create(vault, "a.md", "a\n");
  rmSync(path.join(vault.state, "history.sqlite"));
  expect((await refusalOf(() => create(vault, "b.md", "b\n")))?.message).toContain(
    "The history in",
  );
  expect(existsSync(path.join(vault.root, "b.md"))).toBe(false);
});
