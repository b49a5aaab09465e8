import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { describe, expect, it, onTestFinished } from "vitest";

import { startChild, type Child } from "../../testing/processes/child.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { acquireOwnership, findOwner, type OwnerInfo, type Ownership } from "./owner-lock.ts";

const OWN_VAULT = new URL("../../testing/processes/own-vault.ts", import.meta.url);
const FACTS = { endpoint: "/run/x.sock", version: "1.0.0", started: "2026-11-16T08:00:00.000Z" };

interface Place {
  readonly state: string;
  readonly start: () => Child;
  /** Tells all that were started to go on. */
  readonly tell: (sign: "go" | "stop") => void;
}

function place(): Place {
  const folder = temporaryFolder();
  const [state, signs] = [path.join(folder, "state"), path.join(folder, "signs")];
  mkdirSync(signs);
  return {
    state,
    start: () => {
      const child = startChild(OWN_VAULT, [state, signs]);
      onTestFinished(async () => child.kill());
      return child;
    },
    tell: (sign) => writeFileSync(path.join(signs, sign), ""),
  };
}

function acquire(state: string): Ownership | null {
  const ownership = acquireOwnership(state);
  onTestFinished(() => ownership?.release());
  return ownership;
}

describe("the owner of a vault", () => {
  it("is one at a time, within a process too", () => {
    const { state } = place();
    const first = acquire(state);
    expect(first).not.toBeNull();
    expect(acquire(state)).toBeNull();
    first?.release();
    expect(acquire(state)).not.toBeNull();
  });

  it("is exactly one of ten processes that ask at once", async () => {
    const { state, start, tell } = place();
    const children = Array.from({ length: 10 }, start);
    await Promise.all(children.map(async (child) => child.printed("ready")));
    tell("go");
    await Promise.all(children.map(async (child) => child.printed("asked")));
    expect(acquire(state)).toBeNull();
    tell("stop");
    const answers = await Promise.all(children.map(async (child) => child.finished()));
    expect(answers.filter((answer) => answer.includes("owner"))).toHaveLength(1);
    expect(answers.filter((answer) => answer.includes("refused"))).toHaveLength(9);
    expect(acquire(state)).not.toBeNull();
  });

  it("is not kept from becoming one by those who look whether there is one", async () => {
    const { state, start, tell } = place();
    const child = start();
    await child.printed("ready");
    acquire(state)?.release();
    tell("go");
    let seen: OwnerInfo | null = null;
    for (let looks = 1; seen === null; looks += 1) {
      seen = findOwner(state);
      // Now and then, hear whether the child was refused.
      if (looks % 100 === 0) await Promise.race([nextTurn(), child.finished()]);
    }
    expect(seen.pid).toBe(child.process.pid);
  });

  it("is replaced at once when it is killed, and what it left is not believed", async () => {
    const { state, start, tell } = place();
    const child = start();
    tell("go");
    await child.printed("owner");
    expect(findOwner(state)?.pid).toBe(child.process.pid);
    expect(acquire(state)).toBeNull();
    await child.kill();
    expect(existsSync(path.join(state, "owner.json"))).toBe(true);
    expect(findOwner(state)).toBeNull();
    const next = acquire(state);
    expect(next).not.toBeNull();
    // It has not said yet how to reach it, and the dead one's word does not count for it.
    expect(findOwner(state)).toBeNull();
    next?.publish(FACTS);
    expect(findOwner(state)).toEqual({ pid: process.pid, ...FACTS });
  });

  it("stays the owner though nobody keeps what acquiring gave", async () => {
    const { state } = place();
    acquireOwnership(state)?.publish(FACTS);
    setFlagsFromString("--expose-gc");
    const collect: unknown = runInNewContext("gc");
    if (typeof collect !== "function") throw new Error("garbage cannot be collected");
    for (let round = 0; round < 3; round += 1) {
      await nextTurn();
      collect();
    }
    await nextTurn();
    expect(findOwner(state)).toEqual({ pid: process.pid, ...FACTS });
    expect(acquireOwnership(state)).toBeNull();
  });

  it("hands over to another process when it lets go", async () => {
    const { state, start, tell } = place();
    const mine = acquire(state);
    mine?.publish(FACTS);
    mine?.release();
    mine?.release();
    expect(existsSync(path.join(state, "owner.json"))).toBe(false);
    const child = start();
    tell("go");
    await child.printed("owner");
    expect(findOwner(state)).toMatchObject({ pid: child.process.pid, version: "1.2.3" });
    tell("stop");
    await child.finished();
    expect(findOwner(state)).toBeNull();
  });
});

describe("what an owner tells", () => {
  it("is for this user alone, and replaced as a whole", () => {
    const { state } = place();
    const ownership = acquire(state);
    ownership?.publish({ ...FACTS, version: "0.9.0" });
    ownership?.publish(FACTS);
    const file = path.join(state, "owner.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ pid: process.pid, ...FACTS });
    expect(readdirSync(state).filter((name) => name.startsWith("owner.json"))).toHaveLength(1);
  });

  it.each(["", "{", "null", '{"pid": 1}', '{"pid":-1,"endpoint":"x","version":"1","started":""}'])(
    "is not believed when it is %j",
    (text) => {
      const { state } = place();
      acquire(state)?.publish(FACTS);
      writeFileSync(path.join(state, "owner.json"), text);
      expect(findOwner(state)).toBeNull();
    },
  );

  it("is nothing where there never was one", () => {
    const { state } = place();
    expect(findOwner(state)).toBeNull();
    expect(existsSync(state)).toBe(false);
  });
});

describe("a state folder that cannot be used", () => {
  it("is refused when it cannot be written, with what to do", async () => {
    const folder = temporaryFolder();
    const state = path.join(folder, "state");
    mkdirSync(state);
    const refusal = await asOrdinaryUser(folder, async () => {
      chmodSync(state, 0o500);
      return refusalOf(() => acquireOwnership(state));
    });
    expect(refusal?.code).toBe("unavailable");
    expect(refusal?.message).toContain(state);
    expect(refusal?.message).toContain("--state");
    expect(findOwner(state)).toBeNull();
  });

  it("is refused when it is a file, or its lock is something else", async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "file");
    writeFileSync(file, "");
    expect((await refusalOf(() => acquireOwnership(file)))?.code).toBe("unavailable");
    for (const name of ["owner.sqlite", "owner-alive.sqlite"]) {
      const state = path.join(folder, `state of ${name}`);
      mkdirSync(state);
      writeFileSync(path.join(state, name), "no database".repeat(100));
      expect((await refusalOf(() => acquireOwnership(state)))?.message).toContain(name);
      expect(findOwner(state)).toBeNull();
    }
  });
});
