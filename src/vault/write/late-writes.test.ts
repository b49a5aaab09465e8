import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished, vi } from "vitest";

import { temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import { parsePath } from "../paths.ts";
import type { LocalVault } from "../vault.ts";
import { LateWrites, type LateWrite } from "./late-writes.ts";

/** Another program has the file open while it is stamped. */
async function stampWhileOpen(vault: LocalVault, use: (fd: number) => void): Promise<void> {
  const fd = openSync(path.join(vault.root, "a.md"), "r+");
  await vault.stamp("a.md", () => ({ updated: "2026-01-01T00:00:00" }));
  use(fd);
  closeSync(fd);
}

function read(vault: LocalVault, name = "a.md"): string {
  return readFileSync(path.join(vault.root, name), "utf8");
}

async function waitFor(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

it("what is added to the old file is added to the new one", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  await stampWhileOpen(vault, (fd) => writeSync(fd, "deux\n", 3));
  await waitFor(() => expect(read(vault)).toMatch(/---\n\nun\ndeux\n$/u));
});

it("what is added to the old file goes before what was added to the new one since", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  await stampWhileOpen(vault, (fd) => {
    writeSync(fd, "deux\n", 3);
    appendFileSync(path.join(vault.root, "a.md"), "trois\n");
  });
  await waitFor(() => expect(read(vault)).toMatch(/---\n\nun\ndeux\ntrois\n$/u));
});

it("a text that was rewritten in the old file takes the place of ours", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  await stampWhileOpen(vault, (fd) => {
    ftruncateSync(fd, 0);
    writeSync(fd, "tout autre chose\n", 0);
  });
  await waitFor(() => expect(read(vault)).toBe("tout autre chose\n"));
});

it("goes on for as long as something is written", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  const fd = openSync(path.join(vault.root, "a.md"), "a");
  await vault.stamp("a.md", () => ({ updated: "2026-01-01T00:00:00" }));
  for (const word of ["deux", "trois", "quatre"]) {
    writeSync(fd, `${word}\n`);
    await waitFor(() => expect(read(vault)).toContain(word));
  }
  closeSync(fd);
  expect(read(vault)).toMatch(/---\n\nun\ndeux\ntrois\nquatre\n$/u);
});

it("a file that was emptied is about to be filled: nothing is done until it is", async () => {
  const vault = temporaryVault({ "a.md": "un\n", "b.md": "un\n" });
  const fd = openSync(path.join(vault.root, "a.md"), "r+");
  const other = openSync(path.join(vault.root, "b.md"), "a");
  for (const name of ["a.md", "b.md"])
    await vault.stamp(name, () => ({ updated: "2026-01-01T00:00:00" }));
  ftruncateSync(fd, 0);
  // Both are polled together: when the write to the other is brought back, this one was seen as well.
  writeSync(other, "deux\n");
  closeSync(other);
  await waitFor(() =>
    expect(readFileSync(path.join(vault.root, "b.md"), "utf8")).toContain("deux"),
  );
  expect(read(vault)).toContain("un\n");
  writeSync(fd, "tout neuf\n", 0);
  closeSync(fd);
  await waitFor(() => expect(read(vault)).toBe("tout neuf\n"));
});

it("when both were rewritten, both are kept", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  await stampWhileOpen(vault, (fd) => {
    writeFileSync(path.join(vault.root, "a.md"), "par son nom\n");
    ftruncateSync(fd, 0);
    writeSync(fd, "par son numéro\n", 0);
  });
  await waitFor(() => {
    const saved = readdirSync(vault.root).find((name) => name.startsWith("a (saved "));
    expect(saved).toMatch(/^a \(saved [\dT-]+\)\.md$/u);
    expect(read(vault, saved)).toBe("par son numéro\n");
  });
  expect(read(vault)).toBe("par son nom\n");
});

it("an edit by a tool is rescued from in the same way", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  const fd = openSync(path.join(vault.root, "a.md"), "a");
  await vault.change(
    { actor: "test", call: "edit", batch: null },
    async ({ writer, readWhole }) => {
      await writer.update(await readWhole("a.md"), Buffer.from("un, corrigé\n"));
    },
  );
  writeSync(fd, "deux\n");
  closeSync(fd);
  await waitFor(() => expect(read(vault)).toBe("un, corrigé\ndeux\n"));
});

it("leaves no file open behind it, and nothing in the vault", async () => {
  const vault = temporaryVault({ "a.md": "un\n" });
  const open = (): number => readdirSync("/proc/self/fd").length;
  const before = open();
  for (let round = 0; round < 300; round += 1)
    await vault.stamp("a.md", () => ({
      updated: `2026-01-01T00:${String(round % 60).padStart(2, "0")}:00`,
    }));
  vault.close();
  expect(open()).toBeLessThanOrEqual(before);
  expect(readdirSync(vault.root)).toEqual(["a.md"]);
});

/** Late writes whose disk fails: a held file is given up at once. */
function onFailingDisk(): {
  late: LateWrites;
  applied: LateWrite[];
  watch: (place: string) => void;
} {
  const applied: LateWrite[] = [];
  const names = ["a.md", "b.md"];
  const apply = async (write: LateWrite): Promise<LateWrite["ours"]> => {
    applied.push(write);
    return write.ours;
  };
  const late = new LateWrites({ apply, keep: () => {} }, { hold: 0 });
  onTestFinished(() => late.close());
  const watch = (place: string): void => {
    const stat = statSync(place, { bigint: true });
    const { path: name } = parsePath(names.shift() ?? "");
    late.hold(place, name)?.watch(stat, stat, Buffer.from("un\n"));
  };
  return { late, applied, watch };
}

/** The descriptors of this process that lead to a file. */
function openOf(place: string): number[] {
  return readdirSync("/proc/self/fd")
    .map(Number)
    .filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === place;
      } catch {
        return false;
      }
    });
}

it.each(["it is looked at", "it is finished and closed"])(
  "a file that cannot be read is given up, and the others are rescued, when %s",
  async (how) => {
    // Reading a folder fails, and looking at it does not.
    const folder = temporaryFolder();
    const other = path.join(temporaryFolder(), "other.md");
    writeFileSync(other, "un\n");
    const { late, applied, watch } = onFailingDisk();
    watch(folder);
    watch(other);
    expect(openOf(folder)).toHaveLength(1);
    writeFileSync(path.join(folder, "new"), "");
    appendFileSync(other, "deux\n");
    if (how !== "it is looked at") {
      expect(await late.finish()).toEqual(["a.md", "b.md"]);
      late.close();
    }
    await waitFor(() => expect(openOf(folder)).toEqual([]));
    await waitFor(() => expect(applied).toHaveLength(1));
    expect(applied[0]).toMatchObject({ path: "b.md", addedAt: 3 });
    expect(applied[0]?.bytes.toString()).toBe("un\ndeux\n");
  },
);
