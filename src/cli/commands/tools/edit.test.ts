import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../../testing/temporary-vault.ts";
import { personsText } from "../../../testing/persons-text.ts";
import { field, temporaryPlace, type TemporaryPlace } from "../../testing/cli.ts";

const files = { "tasks.md": "# Tasks\n- [ ] call\n- [ ] write\n" };

function tasksOf({ root }: TemporaryPlace): string {
  return personsText(path.join(root, "tasks.md"));
}

async function hashOf({ json }: TemporaryPlace): Promise<string> {
  return field(await json(["read", "tasks.md"]), "files", 0, "hash");
}

function temporaryFile(text: string): string {
  const file = path.join(temporaryFolder(), "text.txt");
  writeFileSync(file, text);
  return file;
}

describe("coffre edit", () => {
  it("replaces a passage without a read before it, and shows the place", async () => {
    const place = temporaryPlace(files);
    const argv = ["edit", "tasks.md", "--old", "- [ ] call", "--new", "- [x] call"];
    const { code, stdout, stderr } = await place.run(argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Edited vault\/tasks\.md: 3 lines\. History: \w+\.\n/u);
    expect(stdout).toContain("2  | - [x] call\n");
    expect(tasksOf(place)).toBe("# Tasks\n- [x] call\n- [ ] write\n");
  });

  it("takes the line numbers of read", async () => {
    const place = temporaryPlace({ "tasks.md": "same\nsame\n" });
    const argv = ["edit", "tasks.md", "--old", "2  | same", "--new", "2  | other"];
    expect((await place.run(argv)).code).toBe(0);
    expect(tasksOf(place)).toBe("same\nother\n");
  });

  it("removes a passage with an empty --new", async () => {
    const place = temporaryPlace(files);
    await place.run(["edit", "tasks.md", "--old", "- [ ] call\n", "--new", ""]);
    expect(tasksOf(place)).toBe("# Tasks\n- [ ] write\n");
  });

  it("gives programs lines, history and hash as JSON", async () => {
    const { json } = temporaryPlace(files);
    expect(await json(["edit", "tasks.md", "--old", "call", "--new", "ring"])).toMatchObject({
      path: "vault/tasks.md",
      lines: { start: 2, end: 2 },
      history: expect.any(String),
      hash: expect.any(String),
    });
  });

  it.each([
    ["gone.md", "call", "does not exist"],
    ["tasks.md", "[ ]", "2"],
    ["tasks.md", "sing", "is not in vault/tasks.md"],
    ["tasks.md", "", "old_content is empty"],
    ["../x.md", "call", "leaves the vault"],
    ["tasks.md/", "call", "folder"],
  ])("exits 1 for %s and %j", async (file, old, why) => {
    const place = temporaryPlace(files);
    const ran = await place.run(["edit", file, "--old", old, "--new", "x"]);
    expect(ran).toMatchObject({ code: 1, stdout: "" });
    expect(ran.stderr).toContain(why);
    expect(tasksOf(place)).toBe(files["tasks.md"]);
  });

  it.each([
    [["--new", "x"], "--old is missing; give it, or --old-file."],
    [["--old", "x"], "--new is missing; give it, or --new-file."],
    [["--old", "x", "--new", "y", "--new-file", "z"], "--new and --new-file exclude each other"],
    [[], "Say what to change"],
    [["--set", "status"], "--set takes KEY=VALUE"],
    [["--section", "A", "--old", "x", "--new", "y"], "--section and --old exclude each other"],
    [["--old-file", "-", "--new-file", "-"], "Only one of --old-file and --new-file"],
  ])("exits 2 for %j", async (options, why) => {
    const { run } = temporaryPlace(files);
    const { code, stderr } = await run(["edit", "tasks.md", ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).toContain("Usage: coffre edit PATH [(--old TEXT | --old-file FILE");
  });

  it("replaces what is under a heading, also from a file", async () => {
    const place = temporaryPlace({ "tasks.md": "# Tasks\nold\n\n# Done\nx\n" });
    await place.run(["edit", "tasks.md", "--section", "Tasks", "--new", "new"]);
    expect(tasksOf(place)).toBe("# Tasks\nnew\n\n# Done\nx\n");
    const file = temporaryFile("one\ntwo\n");
    await place.run(["edit", "tasks.md", "--section", "## Done", "--new-file", file]);
    expect(tasksOf(place)).toBe("# Tasks\nnew\n\n# Done\nx\n");
    await place.run(["edit", "tasks.md", "--section", "# Done", "--new-file", file]);
    expect(tasksOf(place)).toBe("# Tasks\nnew\n\n# Done\none\ntwo\n");
  });

  it("sets and removes keys of the frontmatter", async () => {
    const place = temporaryPlace({ "tasks.md": "---\nstatus: open\ndue: 1\n---\nx\n" });
    const options = ["--set", "status=done", "--set", "see=a=b: c", "--remove", "due"];
    expect((await place.run(["edit", "tasks.md", ...options])).code).toBe(0);
    expect(tasksOf(place)).toBe('---\nstatus: done\nsee: "a=b: c"\n---\nx\n');
  });
});

describe("coffre edit with texts from files", () => {
  it("replaces whole lines by whole lines", async () => {
    const place = temporaryPlace(files);
    const options = ["--old-file", temporaryFile("- [ ] call\n"), "--new-file", "-"];
    const { code } = await place.run(["edit", "tasks.md", ...options], { stdin: "- one\n- two\n" });
    expect(code).toBe(0);
    expect(tasksOf(place)).toBe("# Tasks\n- one\n- two\n- [ ] write\n");
  });

  it("takes no line ending from a file when the other text has none", async () => {
    const place = temporaryPlace(files);
    await place.run(["edit", "tasks.md", "--old", "call", "--new-file", "-"], { stdin: "ring\n" });
    expect(tasksOf(place)).toBe("# Tasks\n- [ ] ring\n- [ ] write\n");
    await place.run(["edit", "tasks.md", "--old-file", temporaryFile("ring\n"), "--new", "sing"]);
    expect(tasksOf(place)).toBe("# Tasks\n- [ ] sing\n- [ ] write\n");
  });

  it("removes the whole lines of a file", async () => {
    const place = temporaryPlace(files);
    const options = ["--old-file", temporaryFile("- [ ] call\n"), "--new", ""];
    await place.run(["edit", "tasks.md", ...options]);
    expect(tasksOf(place)).toBe("# Tasks\n- [ ] write\n");
  });

  it("exits 1 for a file that cannot be had", async () => {
    const { run } = temporaryPlace(files);
    const missing = path.join(temporaryFolder(), "no.txt");
    const { code, stderr } = await run(["edit", "tasks.md", "--old", "x", "--new-file", missing]);
    expect(code).toBe(1);
    expect(stderr).toBe(`${missing} does not exist.\n`);
  });

  it("exits 2 for standard input at a terminal", async () => {
    const { run } = temporaryPlace(files);
    const argv = ["edit", "tasks.md", "--old", "call", "--new-file", "-"];
    expect((await run(argv, { terminal: true })).code).toBe(2);
  });
});

describe("coffre edit --if-hash", () => {
  it("edits the version it names, by whatever link", async () => {
    const place = temporaryPlace(files);
    symlinkSync("tasks.md", path.join(place.root, "link.md"));
    const options = ["--old", "call", "--new", "ring", "--if-hash", await hashOf(place)];
    expect((await place.run(["edit", "link.md", ...options])).code).toBe(0);
    expect(tasksOf(place)).toContain("ring");
  });

  it("edits again with the hash of the reply", async () => {
    const place = temporaryPlace(files);
    const edit = ["edit", "tasks.md", "--old", "call", "--new", "ring"];
    const hash = field(await place.json(edit), "hash");
    const again = ["edit", "tasks.md", "--old", "ring", "--new", "sing", "--if-hash", hash];
    expect((await place.run(again)).code).toBe(0);
  });

  it("refuses any other version, and says to read again", async () => {
    const place = temporaryPlace(files);
    const hash = await hashOf(place);
    writeFileSync(path.join(place.root, "tasks.md"), `${files["tasks.md"]}- [ ] more\n`);
    const options = ["--old", "call", "--new", "ring", "--if-hash", hash];
    const { code, stdout, stderr } = await place.run(["edit", "tasks.md", ...options]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("was changed since you read it; read it again");
    expect(stderr).toContain("coffre read tasks.md --json");
    expect(tasksOf(place)).not.toContain("ring");
    const json = await place.run(["edit", "tasks.md", ...options, "--json"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "conflict" } });
  });

  it("says so when the file is too large to have one", async () => {
    const place = temporaryPlace({ "tasks.md": `call\n${"line\n".repeat(300_000)}` });
    const options = ["--old", "call", "--new", "ring"];
    const refused = await place.run(["edit", "tasks.md", ...options, "--if-hash", "abc"]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("too large to have a hash");
    expect((await place.run(["edit", "tasks.md", ...options])).code).toBe(0);
    expect(tasksOf(place).slice(0, 10)).toBe("ring\nline\n");
  });
});
