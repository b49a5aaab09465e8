import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { createService } from "../compose.ts";
import { refusalOf } from "../testing/expected-error.ts";
import { asOrdinaryUser } from "../testing/ordinary-user.ts";
import { temporaryFolder } from "../testing/temporary-vault.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { connect } from "./sqlite.ts";

const modeOf = (place: string): number => statSync(place).mode & 0o7777;

describe("a state folder", () => {
  it("that others could enter is closed to them, with all that is in it", async () => {
    const folder = temporaryFolder();
    const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
    mkdirSync(root);
    writeFileSync(path.join(root, "a.md"), "words\n");
    mkdirSync(state, { mode: 0o755 });
    chmodSync(state, 0o755);
    // As a release before left it.
    writeFileSync(path.join(state, "queue.sqlite"), "", { mode: 0o644 });
    writeFileSync(path.join(state, "history.sqlite"), "", { mode: 0o644 });
    const model = null;
    const service = await createService({ root, state, memory: { model, onBug: () => {} } });
    await service.memory?.updates.add({
      content: "a thought",
      images: [],
      inboxRef: null,
      sources: [],
      files: [],
      isUntrusted: false,
      isRelayed: false,
      isPreview: false,
      from: "test",
    });
    const places = readdirSync(state, { recursive: true, encoding: "utf8" });
    expect(places).toContain("queue.sqlite-wal");
    expect(places).toContain("history.sqlite-wal");
    const open = [".", ...places].filter((name) => (modeOf(path.join(state, name)) & 0o077) !== 0);
    expect(open).toEqual([]);
    await service.close();
  });

  it("of another user is refused, and nothing is put there", async () => {
    // Root's on every system this runs on.
    const state = "/usr";
    const refusal = await asOrdinaryUser(temporaryFolder(), async () =>
      refusalOf(() => connect(path.join(state, "coffre-test.sqlite"))),
    );
    expect(refusal?.code).toBe("no_permission");
    expect(refusal?.message).toContain("The state folder /usr belongs to another user (uid 0");
    expect(readdirSync(state)).not.toContain("coffre-test.sqlite");
  });

  it("that is a shared folder, or holds other things, keeps its mode", () => {
    const folder = temporaryFolder();
    const [shared, other] = [path.join(folder, "tmp"), path.join(folder, "home")];
    for (const place of [shared, other]) mkdirSync(place);
    writeFileSync(path.join(other, "letter.txt"), "");
    chmodSync(shared, 0o1777);
    chmodSync(other, 0o755);
    for (const place of [shared, other]) makePrivateFolder(place);
    expect([modeOf(shared), modeOf(other)]).toEqual([0o1777, 0o755]);
  });
});
