import { expect, it } from "vitest";

import { PersonVault } from "../../team/rights/person-vault.ts";
import { Rights, type Role } from "../../team/rights/rights.ts";
import type { Vault } from "../../vault/vault.ts";
import { codeOf } from "../expected-error.ts";
import { create, move, remove, undo, update } from "./changes.ts";

/** What Bob sees of the history, with the rights that a test says he has by now. */
class Bob {
  readonly #vault: Vault;
  #rights = new Rights([]);

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  may(grants: Readonly<Record<string, Role>>): void {
    this.#rights = new Rights(Object.entries(grants).map(([folder, role]) => ({ folder, role })));
  }

  get #seen(): PersonVault {
    return new PersonVault({ vault: this.#vault, rights: this.#rights });
  }

  /** The calls and places of what he is shown, the oldest first. */
  async log(): Promise<string[]> {
    const entries = await this.#seen.log({ path: null, limit: 100 });
    const shown = entries.toReversed().map(({ call, changes }) => [call, ...changes.map(placeOf)]);
    return shown.map((parts) => parts.join(" "));
  }

  /** Whether entries are as unknown to him as ones that never were, each way that names them. */
  async knows(...ids: readonly string[]): Promise<boolean[]> {
    const known: boolean[] = [];
    for (const id of ids) {
      const looked = await codeOf(async () => this.#seen.entries(id));
      if (looked !== "not_found") known.push(true);
      else {
        const author = { actor: "Bob", force: false };
        const undone = await codeOf(async () => this.#seen.undo(id, author));
        known.push(undone !== "not_found");
      }
    }
    return known;
  }
}

function placeOf(change: { readonly path: string; readonly to?: string }): string {
  return change.to === undefined ? change.path : `${change.path}>${change.to}`;
}

/**
 * What was hidden from somebody when it was written stays hidden in the history, whoever moves it and wherever it and its folders are by now.
 * Rights go with folders, as `Grants.move` does: the tests say where they are.
 */
export function movedHistorySuite(open: () => Promise<Vault>): void {
  const begin = async (): Promise<{ vault: Vault; bob: Bob }> => {
    const vault = await open();
    return { vault, bob: new Bob(vault) };
  };

  it("hides what was in a hidden folder after that is moved, and what was deleted there before", async () => {
    const { vault, bob } = await begin();
    const made = await create(vault, "hr/pay.md", "1000\n");
    const old = await create(vault, "hr/old.md", "900\n");
    const changed = await update(vault, "hr/pay.md", "2000\n");
    const gone = await remove(vault, "hr/old.md");
    const moved = await move(vault, "hr", "archive/hr");
    bob.may({ "": "editor", "archive/hr": "none" });
    await create(vault, "hr/new.md", "New.\n");
    expect(await bob.log()).toEqual(["create hr/new.md"]);
    expect(await bob.knows(made, old, changed, gone, moved)).toEqual(Array(5).fill(false));
    await remove(vault, "hr");
    const back = await undo(vault, moved);
    bob.may({ "": "editor", hr: "none" });
    expect(await bob.log()).toEqual([]);
    expect(await bob.knows(made, gone, moved, back)).toEqual(Array(4).fill(false));
    // Whoever may read it now may know what it was.
    bob.may({ "": "editor" });
    expect(await bob.knows(made, gone, moved, back)).toEqual(Array(4).fill(true));
  });

  it("hides it after a folder above it is moved, more than once, in one batch", async () => {
    const { vault, bob } = await begin();
    const made = await create(vault, "staff/hr/pay.md", "1000\n");
    const open1 = await create(vault, "staff/list.md", "Ada\n");
    const batch = "batch-of-moves";
    await move(vault, "staff", "people", batch);
    await move(vault, "people/hr", "people/old/hr", batch);
    await move(vault, "people", "team", batch);
    bob.may({ "": "editor", "team/old/hr": "none" });
    expect(await bob.log()).toEqual([
      "create staff/list.md",
      "move staff>people",
      "move people>team",
    ]);
    expect(await bob.knows(made, open1)).toEqual([false, true]);
    // All of a batch, or nothing.
    expect(await bob.knows(batch)).toEqual([false]);
  });

  it("hides the older versions of a file that comes out of a hidden folder, also when that folder is moved later", async () => {
    const { vault, bob } = await begin();
    const made = await create(vault, "hr/pay.md", "secret\n");
    const out = await move(vault, "hr/pay.md", "work/pay.md");
    const changed = await update(vault, "work/pay.md", "public\n");
    bob.may({ "": "editor", hr: "none" });
    expect(await bob.knows(made, out, changed)).toEqual([false, false, true]);
    await create(vault, "hr/rest.md", "secret\n");
    const moved = await move(vault, "hr", "archive/hr");
    bob.may({ "": "editor", "archive/hr": "none" });
    expect(await bob.log()).toEqual(["update work/pay.md"]);
    expect(await bob.knows(made, out, changed, moved)).toEqual([false, false, true, false]);
  });

  it("hides the versions of a file that went into a hidden folder, until it is back", async () => {
    const { vault, bob } = await begin();
    const made = await create(vault, "work/plan.md", "Plan.\n");
    const moved = await move(vault, "work/plan.md", "hr/plan.md");
    const inside = await update(vault, "hr/plan.md", "Secret plan.\n");
    bob.may({ "": "editor", hr: "none" });
    expect(await bob.knows(made, moved, inside)).toEqual([false, false, false]);
    const again = await create(vault, "work/plan.md", "Another.\n");
    expect(await bob.knows(made, again)).toEqual([false, true]);
    await move(vault, "work/plan.md", "work/other.md");
    await undo(vault, inside);
    await undo(vault, moved);
    expect(await bob.log()).toEqual([
      "create work/plan.md",
      "create work/plan.md",
      "move work/plan.md>work/other.md",
    ]);
    expect(await bob.knows(made, again, moved, inside)).toEqual([true, true, false, false]);
  });

  it("shows the history of what only passed through a hidden folder, and not what it was there", async () => {
    const { vault, bob } = await begin();
    const made = await create(vault, "plans/a.md", "A\n");
    await move(vault, "plans", "hr/plans");
    const inside = await update(vault, "hr/plans/a.md", "Secret\n");
    await move(vault, "hr/plans", "plans");
    bob.may({ "": "viewer", hr: "none" });
    expect(await bob.log()).toEqual(["create plans/a.md"]);
    expect(await bob.knows(made, inside)).toEqual([true, false]);
  });

  it("does not open what was in a hidden folder by a role for a new one of its name", async () => {
    const { vault, bob } = await begin();
    const made = await create(vault, "hr/open/pay.md", "secret\n");
    await move(vault, "hr/open", "work/open");
    const later = await create(vault, "hr/open/list.md", "Ada\n");
    bob.may({ "": "editor", hr: "none", "hr/open": "viewer" });
    expect(await bob.log()).toEqual(["create hr/open/list.md"]);
    expect(await bob.knows(made, later)).toEqual([false, true]);
  });

  it("judges each change of one entry by what was moved after it", async () => {
    const { vault, bob } = await begin();
    const author = { actor: "Ada", call: "tidy", batch: null };
    const { id } = await vault.change(author, async ({ writer }) => {
      await writer.create("hr/a.md", Buffer.from("secret\n"));
      await writer.move("hr/a.md", "work/a.md");
      await writer.move("hr", "archive");
    });
    const { id: other } = await vault.change(author, async ({ writer }) => {
      await writer.create("work/b.md", Buffer.from("b\n"));
      await writer.move("work/b.md", "archive/b.md");
      await writer.create("work/b.md", Buffer.from("c\n"));
    });
    const last = await create(vault, "work/c.md", "c\n");
    bob.may({ "": "viewer", archive: "none" });
    expect(await bob.knows(id ?? "", other ?? "", last)).toEqual([false, false, true]);
  });

  it("knows nothing of moves to those who ask for none, and all to those whose entry is gone", async () => {
    const { vault } = await begin();
    const made = await create(vault, "a/x.md", "x\n");
    const moved = await move(vault, "a", "b");
    const later = await create(vault, "c.md", "c\n");
    const moves = [{ path: "a", to: "b" }];
    const after = async (...ids: string[]): Promise<unknown> =>
      (await vault.movesAfter(ids)).moves.map(({ path, to }) => ({ path, to }));
    expect(await after()).toEqual([]);
    expect(await after(later)).toEqual([]);
    expect(await after(moved)).toEqual(moves);
    expect(await after(later, made)).toEqual(moves);
    expect(await after(later, "forgotten")).toEqual(moves);
  });
}
