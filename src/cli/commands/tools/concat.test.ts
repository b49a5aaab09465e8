import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../../testing/cli.ts";

const ten = Array.from({ length: 10 }, (_, at) => `line ${at + 1}`).join("\n");

describe("coffre concat", () => {
  it("assembles files and ranges in the order given", async () => {
    const { run } = temporaryPlace({ "a.md": ten, "b.md": "whole" });
    const { code, stdout } = await run(["concat", "a.md:9-10", "b.md", "a.md:2"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      "```vault/a.md (lines 9-10)\n9  | line 9\n10 | line 10\n```\n\n" +
        "```vault/b.md\n1  | whole\n```\n\n" +
        "```vault/a.md (lines 2-2)\n2  | line 2\n```\n",
    );
  });

  it("takes a file that is really called so as a whole", async () => {
    const { run } = temporaryPlace({ "talk:2": "really\n", talk: "one\ntwo\n" });
    expect((await run(["concat", "talk:2"])).stdout).toBe("```vault/talk:2\n1  | really\n```\n");
    expect((await run(["concat", "talk:2:1-1"])).stdout).toContain("1  | really");
    expect((await run(["concat", "talk:1"])).stdout).toContain("1  | one");
  });

  it("gives programs the parts as JSON", async () => {
    const { json } = temporaryPlace({ "a.md": ten });
    expect(await json(["concat", "a.md:3-4"])).toMatchObject({
      parts: [{ path: "vault/a.md", lines: "3-4", text: "line 3\nline 4" }],
    });
  });

  it.each([
    ["a.md:9-3", 'the range "9-3" is not of the form'],
    ["a.md:9-", 'the range "9-" is not of the form'],
    ["a.md:0", 'the range "0" is not of the form'],
    ["a.md:11", "starts past its end"],
    ["a.md:x", "vault/a.md:x does not exist."],
    ["../a.md:1", "leaves the vault"],
  ])("exits 1 for %s", async (word, why) => {
    const { run } = temporaryPlace({ "a.md": ten });
    const ran = await run(["concat", word]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(why);
  });

  it("exits 0 when some parts could be had", async () => {
    const { run } = temporaryPlace({ "a.md": ten });
    const { code, stdout } = await run(["concat", "gone.md:1", "a.md:1"]);
    expect(code).toBe(0);
    expect(stdout).toContain("1  | line 1");
    expect(stdout).toContain("Errors:\n- vault/gone.md does not exist.");
  });
});
