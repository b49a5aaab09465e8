import { expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { PersonIndex } from "./person-index.ts";
import { personView, PersonViews } from "./person-view.ts";
import { Rights } from "./rights.ts";

it("keeps a view while somebody has it, and closes those that nobody had for longest", async () => {
  const vault = temporaryVault({ "a/x.md": "# X\n\nkiln\n", "b/y.md": "# Y\n\nkiln\n" });
  const version = async (): Promise<string> => "1";
  const closed: string[] = [];
  const views = new PersonViews((rights) => {
    const index = new PersonIndex({ vault, seen: vault, rights, version });
    const view = personView({ vault, index, rights, version });
    return {
      ...view,
      close: async () => {
        closed.push(rights.key);
        await view.close();
      },
    };
  }, 1);
  const of = (folder: string): Rights => new Rights([{ folder, role: "viewer" }]);
  const one = views.hold(of("a"));
  const again = views.hold(of("a"));
  expect(again.vault).toBe(one.vault);
  const other = views.hold(of("b"));
  other.release();
  // The other was let go of, and the first is still used.
  expect([views.size, closed]).toEqual([1, [of("b").key]]);
  expect(await one.index.stats()).toMatchObject({ files: 1 });
  one.release();
  one.release();
  views.hold(of("b"));
  expect(closed).toEqual([of("b").key]);
  again.release();
  expect(closed).toEqual([of("b").key, of("a").key]);
  await views.close();
  expect(views.size).toBe(0);
});

it("rights cover others when all that those may read may be read", () => {
  const some = new Rights([
    { folder: "", role: "viewer" },
    { folder: "hr", role: "none" },
  ]);
  const all = new Rights([{ folder: "", role: "editor" }]);
  const limited = all.within({ scopes: ["vault:read"], folder: "hr" });
  expect([all.covers(some), some.covers(all), some.covers(some)]).toEqual([true, false, true]);
  expect([all.covers(limited), limited.covers(all), some.covers(limited)]).toEqual([
    true,
    false,
    false,
  ]);
  for (const rights of [some, all, limited]) expect(Rights.of(rights.key).key).toBe(rights.key);
  expect([some.changesSomething, all.changesSomething, limited.changesSomething]).toEqual([
    false,
    true,
    false,
  ]);
});
