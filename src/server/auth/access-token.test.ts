import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { accessToken, vaultToken } from "./access-token.ts";

describe("the token of a vault", () => {
  it("is made of 32 random bytes, for this user alone, and stays", () => {
    const state = path.join(temporaryFolder(), "state");
    const token = vaultToken(state);
    expect(Buffer.from(token, "base64url")).toHaveLength(32);
    expect(statSync(path.join(state, "token")).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(state, "token"), "utf8")).toBe(`${token}\n`);
    expect(vaultToken(state)).toBe(token);
    expect(vaultToken(temporaryFolder())).not.toBe(token);
  });

  it.each([0o644, 0o640, 0o602])("is refused with mode %o: others may know it", async (mode) => {
    const state = temporaryFolder();
    vaultToken(state);
    chmodSync(path.join(state, "token"), mode);
    const refusal = await refusalOf(() => vaultToken(state));
    expect(refusal?.code).toBe("no_permission");
    expect(refusal?.message).toContain("Remove it; a new one is made");
  });

  it("is refused when it is empty, something else, a link or a folder", async () => {
    for (const content of ["", "password\n"]) {
      const state = temporaryFolder();
      writeFileSync(path.join(state, "token"), content, { mode: 0o600 });
      expect((await refusalOf(() => vaultToken(state)))?.message).toContain(
        "does not hold a token",
      );
    }
    const linked = temporaryFolder();
    symlinkSync("/etc/hostname", path.join(linked, "token"));
    expect(await refusalOf(() => vaultToken(linked))).not.toBeNull();
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "token"), { mode: 0o700 });
    expect(await refusalOf(() => vaultToken(folder))).not.toBeNull();
  });
});

describe("choosing the token", () => {
  it("takes the one of the vault, or the one given, on this machine", () => {
    const state = temporaryFolder();
    for (const host of ["127.0.0.1", "localhost", "::1", "127.0.0.2"]) {
      expect(accessToken({ state, host, explicit: undefined })).toBe(vaultToken(state));
      expect(accessToken({ state, host, explicit: "mine" })).toBe("mine");
    }
  });

  it("demands one of some length for other machines", async () => {
    const state = temporaryFolder();
    const explicit = "sixteen-letters!";
    for (const host of ["0.0.0.0", "::", "192.168.1.2", "127.evil.example"]) {
      for (const weak of [undefined, "short"]) {
        const refusal = await refusalOf(() => accessToken({ state, host, explicit: weak }));
        expect(refusal?.message).toContain("COFFRE_TOKEN or --token");
      }
      expect(accessToken({ state, host, explicit })).toBe(explicit);
    }
  });

  it.each(["", "two words", "clé"])("refuses %j, which no header carries", async (explicit) => {
    const refusal = await refusalOf(() =>
      accessToken({ state: temporaryFolder(), host: "127.0.0.1", explicit }),
    );
    expect(refusal?.code).toBe("invalid_argument");
  });
});
