import { chmodSync, rmSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { createService } from "../compose.ts";
import { asOrdinaryUser } from "../testing/ordinary-user.ts";
import { expectRight, home } from "../testing/service-home.ts";

it("a folder that could not be listed for a moment is whole again after the next comparison", async () => {
  const place = home({ "d/a.md": "# A\n", "d/e/b.md": "# B\n", "c.md": "# C\n" });
  const { root, state } = place;
  await asOrdinaryUser(path.dirname(root), async () => {
    // Nobody tells it that the folder was touched.
    const service = await createService({ root, state, frontmatter: "all", isWatching: false });
    onTestFinished(() => service.close().catch(() => {}));
    await service.rescan();
    await service.settled();
    chmodSync(place.file("d"), 0o000);
    service.vault.totals.refreshFolder("d");
    chmodSync(place.file("d"), 0o755);
    expect(service.vault.totals.has("d/a.md")).toBe(false);
    await service.rescan();
    await service.settled();
    expect(service.vault.totals.has("d/e/b.md")).toBe(true);
    await expectRight(service, place);
  });
});

it("a folder that is gone is in no listing after the next comparison, though nobody told it", async () => {
  const place = home({ "d/a.md": "# A\n", "d/e/b.md": "# B\n", "d/f/.keep": "", "c.md": "# C\n" });
  const { root, state } = place;
  const service = await createService({ root, state, frontmatter: "all", isWatching: false });
  onTestFinished(() => service.close().catch(() => {}));
  await service.rescan();
  await service.settled();
  expect(service.vault.totals.has("d/f")).toBe(true);
  rmSync(place.file("d"), { recursive: true });
  await service.rescan();
  await service.settled();
  expect(service.vault.totals.has("d")).toBe(false);
  await expectRight(service, place);
});
