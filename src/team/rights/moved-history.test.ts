import { expect, it } from "vitest";

import { codeOf } from "../../testing/expected-error.ts";
import { create, move, remove } from "../../testing/suites/changes.ts";
import { movedHistorySuite } from "../../testing/suites/moved-history-suite.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { privateFilter } from "../../vault/visible/read-filter.ts";
import { VisibleVault } from "../../vault/visible/visible-vault.ts";

movedHistorySuite(async () => temporaryVault());

it("shows models nothing of a private folder or note that was moved", async () => {
  const vault = temporaryVault();
  let folders = ["journal"];
  const seen = new VisibleVault(
    vault,
    privateFilter(() => folders),
  );
  const ids = [
    await create(vault, "journal/diary.md", "secret\n"),
    await create(vault, "journal/old.md", "secret\n"),
    await remove(vault, "journal/old.md"),
    await create(vault, "mine.md", "---\nprivate: true\n---\nsecret\n"),
    await move(vault, "journal", "archive/journal"),
    await move(vault, "mine.md", "archive/mine.md"),
  ];
  folders = ["archive/journal"];
  expect(await seen.log({ path: null, limit: 10 })).toEqual([]);
  for (const id of ids) expect(await codeOf(async () => seen.entries(id))).toBe("not_found");
});
