import { expect, it } from "vitest";

import { startChild } from "../../testing/processes/child.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import type { SeenService } from "../testing/full-state-disk.ts";

it("survives a full state disk: answers in JSON, refuses before the vault is touched, and goes on when there is room", async () => {
  const script = new URL("../testing/full-state-disk.ts", import.meta.url);
  const folder = temporaryFolder();
  const child = startChild(script, [folder], ["unshare", "--map-root-user", "--mount"]);
  const seen: SeenService = JSON.parse(await child.finished());
  expect(seen.crashes).toEqual([]);
  expect(seen.full.filter(({ isJson }) => !isJson)).toEqual([]);
  const writes = seen.full.filter(({ asked }) =>
    ["/api/tools/write", "/api/tools/delete", "/api/update"].includes(asked),
  );
  expect(new Set(writes.map(({ code }) => code))).toEqual(new Set(["disk_full"]));
  expect(writes.filter(({ message }) => !message?.includes(`${folder}/state`))).toEqual([]);
  expect(
    seen.full.filter(({ asked }) => asked === "/api/tools/read").map(({ code }) => code),
  ).toEqual(Array.from({ length: 12 }, () => null));
  expect(seen.isTouched).toBe(false);
  expect(seen.after.map(({ asked, code }) => ({ asked, code }))).toEqual([
    { asked: "/api/tools/write", code: null },
    { asked: "/api/tools/delete", code: null },
    { asked: "/api/update", code: null },
  ]);
  expect(seen.isFound).toBe(true);
});
