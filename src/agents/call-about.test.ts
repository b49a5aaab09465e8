import { expect, it } from "vitest";

import { callAbout } from "./call-about.ts";

it.each([
  [{ queries: ["kiln", "deposit"], mode: "fast", limit: 20 }, "kiln, deposit"],
  [{ paths: "vault/a.md" }, "vault/a.md"],
  [{ paths: ["vault/a.md", { path: "vault/b.md", lines: "2-9" }] }, "vault/a.md, vault/b.md"],
  [{ files: [{ path: "vault/b.md", lines: "2-9" }] }, "vault/b.md"],
  [{ path: "vault/a.md", content: "a whole page", position: "top" }, "vault/a.md"],
  [{ to: "vault/b.md", from: "vault/a.md" }, "vault/a.md → vault/b.md"],
  ["{not json", ""],
  [null, ""],
])("%j is about %s", (args, about) => {
  expect(callAbout(args)).toBe(about);
});
