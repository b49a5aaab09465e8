import path from "node:path";

import { describe, expect, it } from "vitest";

import { personsText } from "../../../testing/persons-text.ts";
import { temporaryPlace, type TemporaryPlace } from "../../testing/cli.ts";

const files = { "log.md": "---\nkind: log\n---\n\nfirst\n" };

function logOf({ root }: TemporaryPlace): string {
  return personsText(path.join(root, "log.md"));
}

describe("coffre append", () => {
  it("adds an argument at the bottom, though it looks like an option", async () => {
    const place = temporaryPlace(files);
    const { code, stdout } = await place.run(["append", "log.md", "- second", "--bottom"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Added at the bottom of vault\/log\.md: 1 line\./u);
    expect(logOf(place)).toBe("---\nkind: log\n---\n\nfirst\n\n- second\n");
  });

  it.each([[[]], [["-"]]])("adds standard input at the top: %j", async (text) => {
    const place = temporaryPlace(files);
    await place.run(["append", "log.md", ...text, "--top"], { stdin: "# Today\n🌧 rain\n" });
    expect(logOf(place)).toBe("---\nkind: log\n---\n\n# Today\n🌧 rain\n\nfirst\n");
  });

  it("creates a missing file, with its folders", async () => {
    const place = temporaryPlace();
    const argv = ["append", "new folder/it's new.md", "text", "--bottom"];
    expect((await place.run(argv)).stdout).toMatch(/^Created vault\/new folder\/it's new\.md/u);
  });

  it("gives programs what changed as JSON", async () => {
    const { json } = temporaryPlace(files);
    expect(await json(["append", "log.md", "second", "--bottom"])).toMatchObject({
      path: "vault/log.md",
      lines_before: 5,
      lines_after: 7,
      lines_added: 2,
    });
  });

  it.each([[[]], [["--top", "--bottom"]]])("exits 2 with %j for the place", async (options) => {
    const place = temporaryPlace(files);
    const { code, stderr } = await place.run(["append", "log.md", "x", ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain("either --top or --bottom");
    expect(stderr).toContain("Usage: coffre append PATH [TEXT] --top|--bottom");
    expect(logOf(place)).toBe(files["log.md"]);
  });

  it("exits 2 at a terminal, saying how to give the text", async () => {
    const { run } = temporaryPlace(files);
    const { code, stderr } = await run(["append", "log.md", "--top"], { terminal: true });
    expect(code).toBe(2);
    expect(stderr).toContain("as an argument after the path, or on standard input");
  });

  it("exits 1 for an empty text, and for a file that is not text", async () => {
    const { run } = temporaryPlace({ ...files, "x.bin": new Uint8Array([0, 1, 2]) });
    expect(await run(["append", "log.md", "--top"], { stdin: "\n\n" })).toMatchObject({
      code: 1,
      stderr: "content is empty: there is nothing to add.\n",
    });
    expect((await run(["append", "x.bin", "text", "--top"])).code).toBe(1);
  });
});
