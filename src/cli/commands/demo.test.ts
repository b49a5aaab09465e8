import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";

import { expect, it } from "vitest";

import { coffre } from "../testing/cli.ts";

/** Not the day on which the demo was written. */
const now = (): Date => new Date("2029-03-03T10:00:00");

it.each([
  ["en", "vault/projects/sail-loft/", "opening"],
  ["fr", "vault/projects/voilerie/", "ouverture"],
])(
  "walks through the %s demo: find, read, refuse, edit, take back",
  async (lang, project, word) => {
    const { code, stdout, stderr } = await coffre(["demo", "--lang", lang], { now });
    expect(code).toBe(0);
    expect(stdout).toContain(`${project}  `);
    expect(stdout).toMatch(/· score 0\.\d\d/u);
    expect(stderr.match(/lines? \d+/gu)?.length).toBeGreaterThan(0);
    expect(stdout).toMatch(new RegExp(`^\\+- 2029-04-27 ?: ${word}`, "mu"));
    expect(stdout).toMatch(/^Undid \w+\. History: \w+\.$/mu);
  },
);

it("leaves nothing behind", async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("coffre-demo-"));
  await coffre(["demo"]);
  const after = readdirSync(tmpdir()).filter((name) => name.startsWith("coffre-demo-"));
  expect(after).toEqual(before);
});
