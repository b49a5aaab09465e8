import { expect, it } from "vitest";

import type { CallersVault } from "../../vault/vault.ts";
import { create, move, remove, update } from "./changes.ts";

/** What happened to files: paths in the vault. */
interface Happened {
  readonly changed: readonly string[];
  readonly created: readonly string[];
  readonly gone: readonly string[];
}

/** An empty vault in which notes get no frontmatter, and what is told of it. */
export interface EventsPlace {
  readonly vault: CallersVault;
  readonly onEvent: (listener: (event: Happened) => void) => () => void;
}

/** However long a busy machine takes. */
const PATIENCE = { timeout: 60_000, interval: 10 };

type Kind = keyof Happened;
const KINDS: readonly Kind[] = ["changed", "created", "gone"];

/** All that was told so far. The same may be told more than once. */
class Heard {
  readonly events: Happened[] = [];
  readonly stop: () => void;

  constructor({ onEvent }: EventsPlace) {
    this.stop = onEvent((event) => this.events.push(event));
  }

  get paths(): string[] {
    const all = this.events.flatMap((event) => KINDS.flatMap((kind) => event[kind]));
    return [...new Set(all)].toSorted();
  }

  /** @param after so many events */
  hasTold(path: string, kind: Kind, after = 0): boolean {
    return this.events.slice(after).some((event) => event[kind].includes(path));
  }
}

async function expectTold(heard: Heard, path: string, kind: Kind, after = 0): Promise<void> {
  await expect.poll(() => heard.hasTold(path, kind, after), PATIENCE).toBe(true);
}

/** What anything that tells of the changes of a vault must do. */
export function describeEvents(open: () => Promise<EventsPlace>): void {
  it("tells of what is made, changed and removed, and what of it is new", async () => {
    const place = await open();
    const [{ vault }, heard] = [place, new Heard(place)];
    await create(vault, "d/a.md", "1\n");
    await create(vault, "d/b.png", "1\n");
    for (const path of ["d/a.md", "d/b.png"]) {
      await expectTold(heard, path, "changed");
      await expectTold(heard, path, "created");
    }
    const made = heard.events.length;
    await update(vault, "d/a.md", "2\n");
    await expectTold(heard, "d/a.md", "changed", made);
    await remove(vault, "d/a.md");
    await expectTold(heard, "d/a.md", "gone", made);
    expect(heard.hasTold("d/a.md", "created", made)).toBe(false);
    expect(heard.paths).toEqual(["d/a.md", "d/b.png"]);
  });

  it("tells of every file of a folder that is moved, under both names", async () => {
    const place = await open();
    const [{ vault }, heard] = [place, new Heard(place)];
    const files = ["a.md", "e/b.md"];
    for (const file of files) await create(vault, `d/${file}`, "1\n");
    for (const file of files) await expectTold(heard, `d/${file}`, "created");
    await move(vault, "d", "f");
    for (const file of files) {
      await expectTold(heard, `d/${file}`, "gone");
      await expectTold(heard, `f/${file}`, "changed");
    }
    expect(heard.paths).toEqual(["d/a.md", "d/e/b.md", "f/a.md", "f/e/b.md"]);
  });

  it("tells of an undo as of any other change", async () => {
    const place = await open();
    const [{ vault }, heard] = [place, new Heard(place)];
    const id = await create(vault, "a.md", "1\n");
    await expectTold(heard, "a.md", "created");
    await vault.undo(id, { actor: "test", force: false });
    await expectTold(heard, "a.md", "gone");
    expect(heard.paths).toEqual(["a.md"]);
  });

  it("tells nothing of what was refused, and no listener that was removed", async () => {
    const place = await open();
    const { vault } = place;
    const [heard, removed] = [new Heard(place), new Heard(place)];
    removed.stop();
    await expect(
      vault.change({ actor: "test", call: "test", batch: null }, async () => {
        throw new Error("on purpose");
      }),
    ).rejects.toThrow("on purpose");
    await create(vault, "after.md", "1\n");
    await expectTold(heard, "after.md", "created");
    expect(heard.paths).toEqual(["after.md"]);
    expect(removed.events).toEqual([]);
  });

  it("tells each of those who listen, also one that listens twice", async () => {
    const place = await open();
    let told = 0;
    const listener = (): void => void (told += 1);
    const stop = place.onEvent(listener);
    place.onEvent(listener);
    const heard = new Heard(place);
    await create(place.vault, "a.md", "1\n");
    await expectTold(heard, "a.md", "created");
    expect(told).toBe(2 * heard.events.length);
    const [before, events] = [told, heard.events.length];
    stop();
    await create(place.vault, "b.md", "1\n");
    await expectTold(heard, "b.md", "created");
    expect(told - before).toBe(heard.events.length - events);
  });
}
