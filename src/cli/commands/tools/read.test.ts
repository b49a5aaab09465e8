import path from "node:path";

import { describe, expect, it } from "vitest";

import { demoImage } from "../../../testing/demo-image.ts";
import { field, temporaryPlace } from "../../testing/cli.ts";

describe("coffre read", () => {
  it("shows files with numbered lines", async () => {
    const { run } = temporaryPlace({ "a.md": "one\n\ntwo\n", "b.md": "three" });
    const { code, stdout } = await run(["read", "a.md", "vault/b.md"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      "```vault/a.md\n1  | one\n2  |\n3  | two\n```\n\n```vault/b.md\n1  | three\n```\n",
    );
  });

  it.each(["two words.md", 'it\'s "here".md', "🌱 été.md", "-dash.md", "a$HOME`x`.md", "a:3.md"])(
    "finds a file called %s",
    async (name) => {
      const { run } = temporaryPlace({ [name]: "found\n" });
      const { code, stdout } = await run(["read", "--", name]);
      expect(code).toBe(0);
      expect(stdout).toContain("1  | found\n");
    },
  );

  it("finds a file with a line break in its name by the name that is shown", async () => {
    const { run } = temporaryPlace({ "two\nlines.md": "found\n" });
    const { stdout } = await run(["read", "two␊lines.md"]);
    expect(stdout).toBe("```vault/two␊lines.md\n1  | found\n```\n");
    expect((await run(["read", "two\nlines.md"])).stdout).toBe(stdout);
  });

  it("shows the beginning, the end or the headings", async () => {
    const { run } = temporaryPlace({ "a.md": "# T\nfirst line\nlast line\n" });
    expect((await run(["read", "a.md", "--head", "1"])).stdout).toContain("(lines 1-1 of 3)");
    expect((await run(["read", "a.md", "--tail", "3"])).stdout).toContain("3  | last line");
    expect((await run(["read", "a.md", "--folded"])).stdout).toContain("# T");
    expect((await run(["read", "a.md", "--folded"])).stdout).not.toContain("last line");
  });

  it("gives programs text and hash as JSON", async () => {
    const { json } = temporaryPlace({ "a.md": "one\ntwo\n" });
    const reply = await json(["read", "a.md"]);
    expect(reply).toMatchObject({
      files: [{ path: "vault/a.md", text: "one\ntwo", lines: { start: 1, end: 2, total: 2 } }],
      errors: [],
    });
    expect(field(reply, "files", 0, "hash")).toMatch(/^\S{8,}$/u);
  });

  it("prints the line of an image and the path to open, never its bytes", async () => {
    const { root, run } = temporaryPlace({ "plan.png": demoImage(), "z.md": "after\n" });
    const { stdout } = await run(["read", "plan.png", "z.md"]);
    const [line, open, empty, ...block] = stdout.split("\n");
    expect(line).toMatch(/^vault\/plan\.png \(image\/png, \d+×\d+, \d+ kB\)$/u);
    expect(open).toBe(`open ${path.join(root, "plan.png")}`);
    expect(empty).toBe("");
    expect(block.join("\n")).toBe("```vault/z.md\n1  | after\n```\n");
  });

  it("exits 0 when a part of what was asked was there, saying what was not", async () => {
    const { run } = temporaryPlace({ "a.md": "one\n" });
    const { code, stdout, stderr } = await run(["read", "a.md", "gone.md"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("1  | one");
    expect(stdout).toContain("Errors:\n- vault/gone.md does not exist.");
  });

  it("exits 1 when nothing was there, on stderr alone", async () => {
    const { run } = temporaryPlace();
    const one = await run(["read", "gone.md"]);
    expect(one).toMatchObject({ code: 1, stdout: "" });
    expect(one.stderr).toMatch(/^vault\/gone\.md does not exist\./u);
    const two = await run(["read", "gone.md", "/etc/passwd", "--json"]);
    expect(two).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(two.stderr)).toMatchObject({
      files: [],
      errors: [{ code: "not_found" }, { code: "outside_vault" }],
    });
  });

  it("exits 1 when options contradict each other", async () => {
    const { run } = temporaryPlace({ "a.md": "one\n" });
    const { code, stderr } = await run(["read", "a.md", "--head", "5", "--tail", "5"]);
    expect(code).toBe(1);
    expect(stderr).toContain("exclude each other");
    expect(stderr).not.toContain("invalid_argument");
  });

  it("exits 2 without a path", async () => {
    const { run } = temporaryPlace();
    expect((await run(["read"])).code).toBe(2);
  });
});
