import { describe, expect, it } from "vitest";
import { z } from "zod";

import { temporaryPlace, type TemporaryPlace } from "../src/cli/testing/cli.ts";

const LOG = "projects/sail-loft/changelog.md";
const ENTRY = "# 2026-11-16\n\n## Four more sockets in room 2\nPolmear wants £4,510 now.";
const HEADER = /^```(vault\S+) \(lines ([\d, -]+)\) · score (\d\.\d\d)(.*)$/gmu;

const Result = z.object({
  path: z.string(),
  lines: z.string(),
  text_lines: z.array(z.object({ text: z.string() })),
  replaced: z.object({ path: z.string(), lines: z.string(), date: z.string() }).nullable(),
});

async function demo(): Promise<TemporaryPlace> {
  const place = temporaryPlace({});
  const { code, stderr } = await place.run(["init", "--demo", "--lang", "en"]);
  expect(stderr).not.toContain("rror");
  expect(code).toBe(0);
  return place;
}

/** The lines of the old decision, as search gives them. */
async function oldLines({ json }: TemporaryPlace): Promise<string> {
  const found = z.array(Result).parse(await json(["search", "Polmear does the electrics"]));
  return found[0]?.lines ?? "";
}

describe("after the price of the electrics changed in the demo", () => {
  it("the new price is found first, though the old decision has all the words", async () => {
    const place = await demo();
    const old = await oldLines(place);
    const before = await place.run(["search", "electrics cost"]);
    await place.run(["append", LOG, ENTRY, "--top", "--replaces", `${LOG}:${old}=£4,280`]);
    const { stdout } = await place.run(["search", "electrics cost"]);
    const [first, second] = [...stdout.matchAll(HEADER)];
    expect(first?.slice(1, 3)).toEqual([`vault/${LOG}`, expect.stringMatching(/^7-12(?:,|$)/u)]);
    expect(stdout).toContain("| Polmear wants £4,510 now.");
    expect(stdout).toContain(
      "| Replaces: [[projects/sail-loft/changelog#decision Polmear does the electrics]] (£4,280)",
    );
    expect(second?.[4]).toBe(` · replaced 2026-11-16 → vault/${LOG} lines 7-12`);
    const results = z.array(Result).parse(await place.json(["search", "electrics cost"]));
    expect(results[0]?.replaced).toBeNull();
    expect(results[1]?.replaced).toMatchObject({ path: `vault/${LOG}`, date: "2026-11-16" });
    expect(results[1]?.text_lines.map(({ text }) => text).join("\n")).toContain("£4,280 against");

    await place.run(["undo", "last"]);
    expect((await place.run(["search", "electrics cost"])).stdout).toBe(before.stdout);
  });
});
