import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { describe, expect, it, onTestFinished } from "vitest";

import { create, logOf } from "../../testing/suites/changes.ts";
import { startChild, type Child } from "../../testing/processes/child.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { createVault, type LocalVault } from "../vault.ts";

const LINES = 30;
const APPEND_LINES = new URL("../../testing/processes/append-lines.ts", import.meta.url);
const HOLD_LOCK = new URL("../../testing/processes/hold-lock.ts", import.meta.url);

function start(script: URL, vault: LocalVault, ...args: string[]): Child {
  const child = startChild(script, [vault.root, vault.state, ...args]);
  onTestFinished(async () => child.kill());
  return child;
}

describe("writers of one file", () => {
  it("in several processes lose no line, and every line is in the history", async () => {
    const vault = temporaryVault({ "a.md": "" });
    const names = ["anne", "boris", "chloé"];
    const children = names.map((name) => start(APPEND_LINES, vault, name, String(LINES)));
    await Promise.all(children.map(async (child) => child.finished()));
    const lines = readFileSync(path.join(vault.root, "a.md"), "utf8").trimEnd().split("\n");
    const expected = names.flatMap((name) =>
      Array.from({ length: LINES }, (_, line) => `${name} ${line}`),
    );
    expect(lines.toSorted()).toEqual(expected.toSorted());
    expect(await logOf(vault)).toHaveLength(names.length * LINES);
  });

  it("in one process, through two vaults and many calls at once, lose no line either", async () => {
    const vault = temporaryVault({ "a.md": "" });
    const other = createVault({ root: vault.root, state: vault.state });
    onTestFinished(() => other.close());
    const adding = Array.from({ length: 40 }, async (_, line) =>
      [vault, other][line % 2]?.change({ actor: "t", call: "t", batch: null }, async (change) => {
        const seen = await change.readWhole("a.md");
        await wait(1);
        await change.writer.update(seen, Buffer.from(`${seen.text}${line}\n`));
      }),
    );
    await Promise.all(adding);
    const lines = readFileSync(path.join(vault.root, "a.md"), "utf8").trimEnd().split("\n");
    expect(lines.map(Number).toSorted((a, b) => a - b)).toEqual(adding.map((__, line) => line));
  });

  it("take turns in the order they came, within a process", async () => {
    const vault = temporaryVault();
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, turn) =>
        vault.change({ actor: "t", call: "t", batch: null }, async () => {
          await wait(turn % 3);
          order.push(turn);
        }),
      ),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("go on after one of them failed", async () => {
    const vault = temporaryVault();
    const failing = vault.change({ actor: "t", call: "t", batch: null }, async () => {
      throw new Error("a mistake in the work");
    });
    const next = create(vault, "a.md", "a");
    await expect(failing).rejects.toThrow("a mistake in the work");
    await expect(next).resolves.toEqual(expect.any(String));
  });
});

describe("a process that holds the right to write", () => {
  it("makes others wait, and no longer when it is killed", async () => {
    const vault = temporaryVault();
    const holder = start(HOLD_LOCK, vault);
    await holder.printed("holding");
    let landed = false;
    const writing = create(vault, "a.md", "a").finally(() => (landed = true));
    // By the time that as many writes to a vault without a holder are done, this one would be too.
    const free = temporaryVault();
    for (let turn = 0; turn < 10; turn += 1) await create(free, `${turn}.md`, "a");
    expect(landed).toBe(false);
    await holder.kill();
    // The holder would have kept it for 60 s, and waiting is given up with `busy` after 30 s.
    await writing;
    expect((await vault.find("tenu.md")).kind).toBe("file");
  });

  it("does not keep others from reading, nor from the log", async () => {
    const vault = temporaryVault({ "a.md": "un\n" });
    const holder = start(HOLD_LOCK, vault);
    await holder.printed("holding");
    expect((await vault.openText("a.md")).range(1, 1).lines).toEqual(["un"]);
    expect(await vault.log({ path: null, limit: 5 })).toMatchObject([{ actor: "holder" }]);
  });
});
