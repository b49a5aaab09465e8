import { existsSync, symlinkSync } from "node:fs";
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

describe("coffre read FILE:LINES", () => {
  const files = { "a.md": "one\ntwo\nthree\nfour\n", "b.md:2": "a name like a range\n" };

  it("shows these lines, with their numbers", async () => {
    const { run } = temporaryPlace(files);
    const { code, stdout } = await run(["read", "a.md:2-3"]);
    expect(code).toBe(0);
    expect(stdout).toBe("```vault/a.md (lines 2-3)\n2  | two\n3  | three\n```\n");
    expect((await run(["read", "a.md:9"])).stderr).toContain("starts past its end");
  });

  it("shows a file that is really called so", async () => {
    const { run } = temporaryPlace(files);
    expect((await run(["read", "b.md:2"])).stdout).toContain("a name like a range");
  });

  it("takes no other choice of lines beside", async () => {
    const { run } = temporaryPlace(files);
    expect((await run(["read", "a.md:2-3", "--head", "5"])).code).toBe(2);
  });
});

describe("an absolute path", () => {
  it("inside the vault is understood, also through a link", async () => {
    const { root, run } = temporaryPlace({ "a.md": "one\n", "sub/b.md": "two\n" });
    const link = path.join(path.dirname(root), "link");
    symlinkSync(root, link);
    expect((await run(["read", path.join(root, "a.md")])).stdout).toContain("| one");
    expect((await run(["read", `${path.join(link, "sub")}/`])).stdout).toContain("| two");
    expect((await run(["tree", root])).stdout).toContain("a.md");
    expect((await run(["read", `${path.join(root, "a.md")}:1`])).stdout).toContain("| one");
    const made = await run(["write", path.join(link, "new", "c.md"), "three"]);
    expect(made.code).toBe(0);
    expect(existsSync(path.join(root, "new", "c.md"))).toBe(true);
  });

  it("outside the vault is refused", async () => {
    const { root, run } = temporaryPlace({ "a.md": "one\n" });
    const { code, stderr } = await run(["read", `${root}-other/a.md`]);
    expect(code).toBe(1);
    expect(stderr).toContain("is an absolute path");
  });
});

it("names commands to people, not the calls that a model would make", async () => {
  const { run } = temporaryPlace({ "a.md": 'tree("vault/")\n', "wide.md": "wide ".repeat(200) });
  expect((await run(["read", "zzzzzz.md"])).stderr).toContain("Look with coffre tree vault/.");
  expect((await run(["read", "a.md"])).stdout).toContain('1  | tree("vault/")');
  expect((await run(["read", "wide.md", "--tail", "9"])).stdout).toContain("Ask with --tail 2");
  const asked = await run(["read", "zzzzzz.md", "--json"]);
  expect(asked.stderr).toContain("Look with tree(");
});
