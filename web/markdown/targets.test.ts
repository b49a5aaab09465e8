import { describe, expect, it } from "vitest";

import { KnownPaths } from "../tree/known-paths.ts";
import { targetOf, wikiTarget } from "./targets.ts";

const FILE = "vault/projects/loft/state.md";
const inVault = (path: string, mark: string | null = null): object => ({
  kind: "vault",
  path,
  mark,
});

describe("a link in a note", () => {
  it.each([
    ["tasks.md", inVault("vault/projects/loft/tasks.md")],
    ["./bucket/plan.png", inVault("vault/projects/loft/bucket/plan.png")],
    ["../../tasks.md#L9-14", inVault("vault/tasks.md", "L9-14")],
    ["/tasks.md", inVault("vault/tasks.md")],
    ["vault/tasks.md", inVault("vault/tasks.md")],
    ["bucket/", inVault("vault/projects/loft/bucket/")],
    ["#Money%20left", inVault(FILE, "Money left")],
    ["a%20b.md", inVault("vault/projects/loft/a b.md")],
    ["https://example.org/a?b#c", { kind: "external", href: "https://example.org/a?b#c" }],
    ["mailto:jo@example.org", { kind: "external", href: "mailto:jo@example.org" }],
  ])("%s leads to %j", (address, target) => {
    expect(targetOf(address, FILE)).toEqual(target);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "java\u{0}script:alert(1)",
    "\u{1}javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:http://127.0.0.1/x",
    "//evil.example/x",
    "\\\\evil.example\\x",
    "/\\evil.example",
    "../../../../etc/passwd",
    "https://",
  ])("%j leads nowhere", (address) => {
    expect(targetOf(address, FILE)).toEqual({ kind: "none" });
  });
});

describe("a wiki link", () => {
  const known = new KnownPaths([
    "vault/tasks.md",
    "vault/projects/loft/plan.md",
    "vault/bucket/far.md",
    "vault/bucket/Node.js.md",
    "vault/bucket/plan.v2",
  ]);

  it.each([
    ["tasks", "vault/tasks.md"],
    ["plan", "vault/projects/loft/plan.md"],
    ["far", "vault/bucket/far.md"],
    ["bucket/far", "vault/bucket/far.md"],
    ["vault/bucket/far.md", "vault/bucket/far.md"],
    ["nowhere", "vault/nowhere.md"],
    ["Node.js", "vault/bucket/Node.js.md"],
    ["plan.v2", "vault/bucket/plan.v2"],
    ["Release 1.2", "vault/Release 1.2.md"],
    ["plan.png", "vault/plan.png"],
  ])("[[%s]] leads to %s", (inside, path) => {
    expect(wikiTarget(inside, FILE, known)).toEqual(inVault(path));
  });

  it("may name a heading, and goes to the root while the files are not known", () => {
    expect(wikiTarget("plan#Walls", FILE, null)).toEqual(inVault("vault/plan.md", "Walls"));
    expect(wikiTarget("#Walls", FILE, null)).toEqual(inVault(FILE, "Walls"));
  });

  it("does not leave the vault", () => {
    expect(wikiTarget("../../x", FILE, null)).toEqual({ kind: "none" });
  });
});
