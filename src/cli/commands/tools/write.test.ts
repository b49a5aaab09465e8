import path from "node:path";

import { describe, expect, it } from "vitest";

import { personsText } from "../../../testing/persons-text.ts";
import { field, temporaryPlace, type TemporaryPlace } from "../../testing/cli.ts";

function textOf({ root }: TemporaryPlace, name: string): string {
  return personsText(path.join(root, name));
}

async function hashOf({ json }: TemporaryPlace, name: string): Promise<string> {
  return field(await json(["read", name]), "files", 0, "hash");
}

describe("coffre write", () => {
  it("creates a file from standard input, as it came", async () => {
    const place = temporaryPlace();
    const stdin = "# Ideas\n\n- a bench 🪑\n";
    const { code, stdout, stderr } = await place.run(["write", "bucket/ideas.md"], { stdin });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Created vault\/bucket\/ideas\.md: \d+ lines\. History: \w+\.\n$/u);
    expect(textOf(place, "bucket/ideas.md")).toContain(stdin);
  });

  it.each(["two words.md", 'it\'s "here".md', "🌱 été.md", "-dash.md", "$HOME.md"])(
    "creates a file called %s",
    async (name) => {
      const place = temporaryPlace();
      expect((await place.run(["write", "--content", "x", "--", name])).code).toBe(0);
      expect(textOf(place, name)).toContain("x");
    },
  );

  it("refuses a name with a line break", async () => {
    const { run } = temporaryPlace();
    const { code, stderr } = await run(["write", "two\nlines.md", "--content", "x"]);
    expect(code).toBe(1);
    expect(stderr).toContain("line break");
  });

  it("takes the text from --content, and leaves standard input alone", async () => {
    const place = temporaryPlace();
    await place.run(["write", "a.md", "--content", "- from the option"], { stdin: "not this" });
    expect(textOf(place, "a.md")).toContain("- from the option");
    expect(textOf(place, "a.md")).not.toContain("not this");
  });

  it("gives programs lines, history and hash as JSON", async () => {
    const place = temporaryPlace();
    const reply = await place.json(["write", "a.md", "--content", "x"]);
    expect(reply).toMatchObject({ path: "vault/a.md", lines_before: null });
    expect(field(reply, "hash")).toBe(await hashOf(place, "a.md"));
    expect(field(reply, "history")).toBe(field(await place.json(["log"]), 0, "id"));
  });

  it("exits 2 at a terminal, saying how to give the text", async () => {
    const { run } = temporaryPlace();
    const { code, stderr } = await run(["write", "a.md"], { terminal: true });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^There is no text\. Give it as an argument after the path, or on standard input\.\nUsage: coffre write PATH/u,
    );
  });

  it("refuses bytes that are not UTF-8 instead of mangling them", async () => {
    const place = temporaryPlace({ "a.md": "safe\n" });
    const stdin = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    const { code, stderr } = await place.run(["write", "a.md", "--force"], { stdin });
    expect(code).toBe(1);
    expect(stderr).toContain("is not UTF-8; nothing was changed");
    expect(textOf(place, "a.md")).toBe("safe\n");
  });

  it("leaves out the byte-order mark that some programs write into pipes", async () => {
    const place = temporaryPlace();
    await place.run(["write", "a.md"], { stdin: Buffer.from("\ufeffété") });
    expect(textOf(place, "a.md").trimEnd()).toMatch(/(?<!\ufeff)été$/u);
  });

  it("refuses an empty text", async () => {
    const { run } = temporaryPlace();
    const { code, stderr } = await run(["write", "a.md"], { stdin: "" });
    expect(code).toBe(1);
    expect(stderr).toContain("content is empty");
  });
});

describe("coffre write on a file that exists", () => {
  it("is refused, with how to do it", async () => {
    const place = temporaryPlace({ "my notes.md": "old\n" });
    const { code, stdout, stderr } = await place.run(["write", "my notes.md", "--content", "new"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^vault\/my notes\.md exists, 1 tokens; read it first/u);
    expect(stderr).toContain(
      "To replace it: coffre write 'my notes.md' --force, or --if-hash with the hash from: coffre read 'my notes.md' --json\n",
    );
    expect(textOf(place, "my notes.md")).toBe("old\n");
  });

  it("tells programs the code and the hint", async () => {
    const { run } = temporaryPlace({ "a.md": "old\n" });
    const { stderr } = await run(["write", "a.md", "--content", "new", "--json"]);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "conflict", hint: expect.stringContaining("--force") },
    });
  });

  it("is done with --force", async () => {
    const place = temporaryPlace({ "a.md": "old\n" });
    const { code, stdout } = await place.run(["write", "a.md", "--content", "new", "--force"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Replaced vault\/a\.md/u);
    expect(textOf(place, "a.md")).toContain("new");
    expect(textOf(place, "a.md")).not.toContain("old");
  });

  it("is done with --force on a file too large to have a hash", async () => {
    const place = temporaryPlace({ "big.md": "line\n".repeat(300_000) });
    expect((await place.run(["write", "big.md", "--content", "small", "--force"])).code).toBe(0);
    expect(textOf(place, "big.md")).toContain("small");
  });

  it("is done with the hash of the present version", async () => {
    const place = temporaryPlace({ "a.md": "old\n" });
    const hash = await hashOf(place, "a.md");
    const argv = ["write", "a.md", "--content", "new", "--if-hash", hash];
    expect((await place.run(argv)).code).toBe(0);
    expect(textOf(place, "a.md")).toContain("new");
  });

  it("is refused with the hash of another version", async () => {
    const place = temporaryPlace({ "a.md": "old\n" });
    const hash = await hashOf(place, "a.md");
    await place.run(["append", "a.md", "meanwhile", "--bottom"]);
    const argv = ["write", "a.md", "--content", "new", "--if-hash", hash];
    const { code, stderr } = await place.run(argv);
    expect(code).toBe(1);
    expect(stderr).toContain("was changed since you read it; read it again");
    expect(textOf(place, "a.md")).toBe("old\n\nmeanwhile\n");
  });

  it("is refused with a hash when it is gone", async () => {
    const { run } = temporaryPlace();
    const { code, stderr } = await run(["write", "a.md", "--content", "x", "--if-hash", "abc"]);
    expect(code).toBe(1);
    expect(stderr).toContain("vault/a.md does not exist (any more)");
  });

  it("refuses --force together with --if-hash", async () => {
    const { run } = temporaryPlace({ "a.md": "old\n" });
    const argv = ["write", "a.md", "--content", "x", "--if-hash", "abc", "--force"];
    expect((await run(argv)).code).toBe(2);
  });
});

it("takes the text after the path, or - for standard input", async () => {
  const place = temporaryPlace();
  expect((await place.run(["write", "new.md", "A bench, two chairs."])).code).toBe(0);
  expect((await place.run(["write", "piped.md", "-"], { stdin: "from a pipe\n" })).code).toBe(0);
  expect(personsText(path.join(place.root, "new.md"))).toBe("A bench, two chairs.");
  expect(personsText(path.join(place.root, "piped.md"))).toBe("from a pipe\n");
  const twice = await place.run(["write", "new.md", "one", "--content", "two"]);
  expect(twice.code).toBe(2);
});
