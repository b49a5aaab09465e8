import { expect, it } from "vitest";

import { baseOf } from "./base.ts";

it("finds the vault of an address, when it is one of several", () => {
  expect(baseOf("/v/notes/file/vault/v/x.md")).toBe("/v/notes");
  expect(baseOf("/v/notes")).toBe("/v/notes");
  expect(baseOf("/")).toBe("");
  expect(baseOf("/file/v/x.md")).toBe("");
});
