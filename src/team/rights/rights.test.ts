import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ROLES, Rights, SCOPES, type Grant, type Limit } from "./rights.ts";

const READ: Limit = { scopes: ["vault:read"], folder: null };

describe("rights", () => {
  it("of the nearest folder count", () => {
    const rights = new Rights([
      { folder: "", role: "editor" },
      { folder: "hr", role: "none" },
      { folder: "hr/handbook", role: "viewer" },
    ]);
    expect(
      ["a.md", "hr", "hr/pay.md", "hr/handbook/a.md", "hrx"].map((path) => rights.roleAt(path)),
    ).toEqual(["editor", "none", "none", "viewer", "editor"]);
    expect([
      rights.mayPass("hr"),
      rights.mayPass("hr/pay.md"),
      rights.mayPass("hr/handbook"),
    ]).toEqual([true, false, true]);
    expect([rights.seesAll, rights.hidesUnder(""), rights.hidesUnder("hr/handbook")]).toEqual([
      false,
      true,
      false,
    ]);
    expect(rights.readOnlyUnder("")).toEqual(["hr/handbook"]);
  });

  it("without a grant there are none", () => {
    const rights = new Rights([]);
    expect([rights.seesSomething, rights.mayRead("a.md"), rights.isOwner]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("a name in other letters never has more of them", () => {
    const hidden = new Rights([
      { folder: "", role: "viewer" },
      { folder: "HR", role: "none" },
    ]);
    expect(hidden.mayRead("hr/a.md")).toBe(false);
    const shown = new Rights([{ folder: "HR", role: "viewer" }]);
    expect([shown.mayRead("HR/a.md"), shown.mayRead("hr/a.md")]).toEqual([true, false]);
  });

  it("a credential for reading cannot write, and one for a folder sees no other", () => {
    const owner = new Rights([{ folder: "", role: "owner" }]);
    expect([
      owner.isOwner,
      owner.within(READ).isOwner,
      owner.within(READ).mayWrite("a.md"),
    ]).toEqual([true, false, false]);
    const folder = owner.within({ scopes: SCOPES, folder: "work" });
    expect([
      folder.mayWrite("work/a.md"),
      folder.mayRead("a.md"),
      folder.isOwner,
      folder.mayPass(""),
    ]).toEqual([true, false, false, true]);
    expect(owner.within({ scopes: ["vault:write"], folder: null }).mayRead("a.md")).toBe(false);
  });

  it("are never more with a limit than without", () => {
    const names = fc.constantFrom("a", "b", "A", "é", "c");
    const path = fc.array(names, { maxLength: 4 }).map((parts) => parts.join("/"));
    const grant: fc.Arbitrary<Grant> = fc.record({ folder: path, role: fc.constantFrom(...ROLES) });
    const limit: fc.Arbitrary<Limit> = fc.record({
      scopes: fc.subarray([...SCOPES]),
      folder: fc.option(path, { nil: null }),
    });
    fc.assert(
      fc.property(
        fc.array(grant, { maxLength: 6 }),
        fc.array(limit, { maxLength: 3 }),
        path,
        (grants, limits, at) => {
          const whole = new Rights(grants);
          const less = limits.reduce((rights, each) => rights.within(each), whole);
          expect(ROLES.indexOf(less.roleAt(at))).toBeLessThanOrEqual(
            ROLES.indexOf(whole.roleAt(at)),
          );
          expect(new Rights(grants, limits).key).toBe(less.key);
          // Nothing is read that is not written to, and what may be read is reached.
          if (less.mayWrite(at)) expect(less.mayRead(at)).toBe(true);
          if (less.mayRead(at)) expect(less.mayPass(at)).toBe(true);
          if (less.seesAll) expect(less.mayRead(at)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
