import { describe, expect, it } from "vitest";

import type { VaultMeAnswer } from "../../src/server/team/people/contract.ts";
import { accessOf } from "./access-of.ts";

const ADA = { id: "1", name: "Ada", email: null };

function me(given: Partial<VaultMeAnswer>): VaultMeAnswer {
  const usual = { operator: false, person: ADA, mayWrite: false, isOwner: false, folders: [] };
  return { ...usual, role: "viewer", ...given };
}

describe("what somebody may change", () => {
  it("is nothing for a viewer, and everything for an editor", () => {
    expect(accessOf(me({})).mayWrite("vault/a.md")).toBe(false);
    expect(accessOf(me({})).mayAdd).toBe(false);
    const editor = accessOf(me({ role: "editor", mayWrite: true }));
    expect(editor.mayWrite("vault/a.md")).toBe(true);
    expect(editor).toMatchObject({ mayAdd: true, self: "Ada" });
  });

  it("follows the role of the nearest folder", () => {
    const { mayWrite, mayAdd } = accessOf(
      me({
        folders: [
          { folder: "vault/hr/", role: "editor" },
          { folder: "vault/hr/pay/", role: "viewer" },
        ],
      }),
    );
    expect(mayWrite("vault/hr/a.md")).toBe(true);
    expect(mayWrite("vault/hr/")).toBe(true);
    expect(mayWrite("vault/hr/pay/2026.md")).toBe(false);
    expect(mayWrite("vault/hrx.md")).toBe(false);
    expect(mayAdd).toBe(true);
  });
});
