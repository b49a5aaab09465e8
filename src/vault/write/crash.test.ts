import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { expect, it } from "vitest";

import { create, undo } from "../../testing/suites/changes.ts";
import { startChild } from "../../testing/processes/child.ts";
import { codeOf } from "../../testing/expected-error.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { isWhole, wholeContent } from "../../testing/processes/write-until-killed.ts";
import { createVault } from "../vault.ts";

const KILLS = 30;

/** Every file a person sees: what is hidden is unfinished and nobody's. */
function visibleFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith(".")) return [];
    const place = path.join(folder, name);
    return statSync(place).isDirectory() ? visibleFiles(place) : [place];
  });
}

it(`keeps every file whole, and the history usable, through ${KILLS} kills in the middle of work`, async () => {
  const seed = temporaryVault({ "grand.md": wholeContent(0, 250_000), "f.md": wholeContent(0, 3) });
  const script = new URL("../../testing/processes/write-until-killed.ts", import.meta.url);
  const outcomes = new Set<string>();
  let seen = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = startChild(script, [seed.root, seed.state, String(kill * 7)]);
    await child.printed("writing");
    await wait(20 + Math.random() * 250);
    await child.kill();
    const files = visibleFiles(seed.root);
    seen += files.length;
    const torn = files.filter((file) => !isWhole(readFileSync(file, "utf8")));
    expect(torn).toEqual([]);
    // As the next start of the program finds it.
    const vault = createVault({ root: seed.root, state: seed.state });
    try {
      const last = (await vault.log({ path: null, limit: 1 }))[0];
      if (last !== undefined) outcomes.add(await codeOf(async () => undo(vault, last.id)));
      expect(
        visibleFiles(seed.root).filter((file) => !isWhole(readFileSync(file, "utf8"))),
      ).toEqual([]);
      const id = await create(vault, `après-${kill}.md`, wholeContent(kill, 3));
      await undo(vault, id);
    } finally {
      vault.close();
    }
  }
  expect(seen).toBeGreaterThan(KILLS);
  expect([...outcomes].filter((code) => !["done", "conflict", "not_found"].includes(code))).toEqual(
    [],
  );
  expect(outcomes).toContain("done");
}, 90_000);
