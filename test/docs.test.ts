import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { toolsReference } from "../scripts/tools-reference.ts";

it("is what docs/tools.md says; npm run docs writes it again", () => {
  const written = readFileSync(new URL("../docs/tools.md", import.meta.url), "utf8");
  expect(written).toBe(toolsReference());
});

it("names every argument with what it takes", () => {
  const text = toolsReference();
  expect(text).toContain("| `queries` | list of text | yes |");
  expect(text).toContain('| `mode` | "fast" or "deep" |');
  expect(text).toContain("| `date_from` | text |");
  expect(text).not.toContain("undefined");
});
