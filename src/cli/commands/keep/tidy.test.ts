import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";
import { z } from "zod";

import { temporaryPlace } from "../../testing/cli.ts";

const files = {
  "overview.md": "# Overview\n\nWhat is on, and what is not.\n\n## Inbox\n\n3 items waiting.\n",
  "projects/loft/changelog.md": "# 2026-11-08\n\n## a\nx\n\n# 2026-11-08\n\n## b\ny\n",
};
const now = (): Date => new Date("2026-11-18T10:00:00");

describe("coffre tidy", () => {
  it("proposes, and its answer makes what it names", async () => {
    const { run, root } = temporaryPlace(files);
    const read = (name: string): string => readFileSync(path.join(root, name), "utf8");
    const { code, stdout } = await run(["tidy"], { now });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "1. vault/overview.md gives a wrong number of inbox items: there are 0",
        "2. vault/projects/loft/changelog.md: 1 more heading of a day that has one already, put under the first",
        "Nothing is changed yet. To see the changes: coffre inbox show 2026-11-18-tidy",
        "To make them: coffre inbox answer 2026-11-18-tidy yes, or numbers like 1,3",
        "",
      ].join("\n"),
    );
    const shown = await run(["inbox", "show", "2026-11-18-tidy"], { now });
    expect(shown.stdout).toContain("-3 items waiting.\n+Nothing waits.");
    const wrong = await run(["inbox", "answer", "2026-11-18-tidy", "3"], { now });
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain("chooses none of the 2 proposals");
    const done = await run(["inbox", "answer", "2026-11-18-tidy", "2"], { now });
    expect(done.stdout).toContain("Tidied: 1 of 2 made.");
    expect(read("projects/loft/changelog.md").match(/^# 2026/gmu)).toHaveLength(1);
    expect(read("overview.md")).toContain("3 items waiting.");
  });

  it("gives programs all of it as JSON, and says when nothing is untidy", async () => {
    const { run } = temporaryPlace({ "overview.md": files["overview.md"] });
    const Shown = z.object({
      ref: z.string(),
      daily: z.literal(false),
      proposals: z.array(z.object({ number: z.number(), changes: z.array(z.unknown()) })),
    });
    const shown = Shown.parse(JSON.parse((await run(["tidy", "--json"], { now })).stdout));
    expect(shown.proposals).toMatchObject([
      { number: 1, changes: [{ path: "vault/overview.md" }] },
    ]);
    await run(["inbox", "answer", shown.ref, "oui"], { now });
    expect((await run(["tidy"], { now })).stdout).toBe("Nothing is untidy.\n");
  });

  it("switches the daily run on and off, in the vault's settings, beside what is there", async () => {
    const { run, state } = temporaryPlace(files);
    const stored = (): unknown => JSON.parse(readFileSync(path.join(state, "coffre.json"), "utf8"));
    expect((await run(["tidy", "--daily", "on"])).stdout).toContain("once a day");
    expect(stored()).toMatchObject({ tidy: "daily" });
    expect((await run(["tidy", "--daily", "off"])).stdout).toContain("only when you ask for it");
    expect(stored()).toMatchObject({ tidy: "off" });
    expect((await run(["tidy", "--daily", "weekly"])).code).toBe(2);
  });
});
