import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { callerOf, refusedWith, temporaryVault, textOf } from "../testing/temporary-vault.ts";
import type { CallResult } from "./call-result.ts";

const NOTE =
  "---\nstatus: open\n---\n\n# Plan\n\nIntro.\n\n## Focus\n\nThe cellar.\n\n### Detail\n\nPump.\n\n## Later\nRoof.\n";

function setup(text = NOTE) {
  const vault = temporaryVault({ "n.md": text });
  const { update } = callerOf(vault);
  return {
    update,
    bytes: () => readFileSync(path.join(vault.root, "n.md"), "utf8"),
    edit: async (args: object): Promise<CallResult> => {
      await update("read", { paths: "n.md" });
      return update("edit", { path: "n.md", ...args });
    },
  };
}

describe("edit: a section", () => {
  it("replaces all under the heading, deeper headings too, up to the next equal or higher one", async () => {
    const { edit, bytes } = setup();
    const result = await edit({ section: "Focus", new_content: "The attic.\n" });
    expect(bytes()).toBe(NOTE.replace("The cellar.\n\n### Detail\n\nPump.", "The attic."));
    expect(textOf(result)).toMatch(/^Edited vault\/n\.md: 18 → 14 lines\. History: /u);
    expect(textOf(result)).toContain("11 | The attic.");
  });

  it("takes the heading with its marks, and the marks count", async () => {
    const { edit, bytes } = setup();
    expect(refusedWith(await edit({ section: "# Focus", new_content: "x" }))).toBe("no_match");
    await edit({ section: "### Detail", new_content: "Valve.\nFilter." });
    expect(bytes()).toBe(NOTE.replace("Pump.", "Valve.\nFilter."));
  });

  it("keeps the heading once when it is repeated", async () => {
    const { edit, bytes } = setup();
    await edit({ section: "## Later", new_content: "## Later\n\nTiles." });
    expect(bytes()).toBe(NOTE.replace("Roof.", "Tiles."));
  });

  it("ends at the end of the file, and keeps no newline where there was none", async () => {
    const { edit, bytes } = setup(NOTE.trimEnd());
    await edit({ section: "Later", new_content: "Tiles.\n\n" });
    expect(bytes()).toBe(NOTE.replace("Roof.", "Tiles.").trimEnd());
  });

  it("fills a heading that has nothing under it", async () => {
    const { edit, bytes } = setup("# A\n# B\n\n# C");
    await edit({ section: "A", new_content: "one" });
    expect(bytes()).toBe("# A\n\none\n\n# B\n\n# C");
    await edit({ section: "B", new_content: "two" });
    expect(bytes()).toBe("# A\n\none\n\n# B\n\ntwo\n\n# C");
    await edit({ section: "C", new_content: "three" });
    expect(bytes()).toBe("# A\n\none\n\n# B\n\ntwo\n\n# C\n\nthree\n");
  });

  it("removes what is under it, and only that", async () => {
    const { edit, bytes } = setup();
    await edit({ section: "Focus", new_content: "" });
    expect(bytes()).toBe(NOTE.replace("The cellar.\n\n### Detail\n\nPump.\n\n", ""));
  });

  it("headings in code fences, comments and frontmatter are none", async () => {
    const text = "# A\n\n```\n# B\n```\n\n<!--\n# B\n-->\n\n# B\nend\n";
    const { edit, bytes } = setup(text);
    await edit({ section: "B", new_content: "END" });
    expect(bytes()).toBe(text.replace("end", "END"));
    expect(refusedWith(await edit({ section: "status: open", new_content: "x" }))).toBe("no_match");
  });

  it("an underlined heading keeps its underline", async () => {
    const { edit, bytes } = setup("Plan of\nthe house\n---------\nold\n\nNext\n====\nx\n");
    await edit({ section: "Plan of the house", new_content: "new" });
    expect(bytes()).toBe("Plan of\nthe house\n---------\nnew\n\nNext\n====\nx\n");
  });

  it("keeps CRLF", async () => {
    const { edit, bytes } = setup("# A\r\n\r\nx\r\n\r\n# B\r\ny\r\n");
    await edit({ section: "A", new_content: "one\ntwo" });
    expect(bytes()).toBe("# A\r\n\r\none\r\ntwo\r\n\r\n# B\r\ny\r\n");
  });

  it("refuses a heading that is there twice, unless its line is given", async () => {
    const { edit, bytes } = setup("# A\n\none\n\n# A\n\ntwo\n");
    const refused = await edit({ section: "A", new_content: "x" });
    expect(refusedWith(refused)).toBe("ambiguous");
    expect(textOf(refused)).toContain("lines 1, 5");
    await edit({ section: "5  | # A", new_content: "TWO" });
    expect(bytes()).toBe("# A\n\none\n\n# A\n\nTWO\n");
  });

  it("names the headings there are", async () => {
    const { edit, bytes } = setup();
    const refused = await edit({ section: "Focuss", new_content: "x" });
    expect(textOf(refused)).toContain("Its headings: # Plan; ## Focus; ### Detail; ## Later.");
    expect(bytes()).toBe(NOTE);
  });

  it.each([
    [{ section: "Focus" }, "new_content is missing"],
    [{ section: "Focus", old_content: "x", new_content: "y" }, "exclude each other"],
    [{ section: "  ", new_content: "y" }, "section is empty"],
    [{ new_content: "y" }, "no place"],
    [{}, "nothing to change"],
  ])("refuses %j", async (args, message) => {
    const { edit, bytes } = setup();
    const result = await edit(args);
    expect(refusedWith(result)).toBe("invalid_argument");
    expect(textOf(result)).toContain(message);
    expect(bytes()).toBe(NOTE);
  });

  it("needs the file to have been read", async () => {
    const { update } = setup();
    const args = { path: "n.md", section: "Focus", new_content: "x" };
    expect(refusedWith(await update("edit", args))).toBe("conflict");
  });

  it("keeps an underlined heading that follows at once apart from the new text", async () => {
    const { edit, bytes } = setup("## B\n### D\nNext\n---\n");
    await edit({ section: "B", new_content: "New" });
    expect(bytes()).toBe("## B\nNew\n\nNext\n---\n");
  });

  it("changes no line outside the section, whatever the text", async () => {
    const vault = temporaryVault({ "a.md": "" });
    const { update } = callerOf(vault);
    const file = path.join(vault.root, "a.md");
    const part = fc.constantFrom(
      "# A",
      "## B",
      "## C",
      "### D",
      "",
      "text",
      "```",
      "- item",
      "---",
    );
    const text = fc.array(part, { maxLength: 14 }).map((lines) => lines.join("\n"));
    let done = 0;
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom("A", "B", "C", "D"), async (content, section) => {
        writeFileSync(file, content);
        await update("read", { paths: "a.md" });
        const result = await update("edit", { path: "a.md", section, new_content: "NEW" });
        const after = readFileSync(file, "utf8");
        if (result.isError) {
          expect(after).toBe(content);
          return;
        }
        done += 1;
        const [above = "", below = ""] = after.split("NEW");
        expect(content.startsWith(above.trimEnd())).toBe(true);
        expect(content.trimEnd().endsWith(below.trim())).toBe(true);
        expect(after.split("NEW")).toHaveLength(2);
        const again = { path: "a.md", section, new_content: "NEW" };
        await update("read", { paths: "a.md" });
        expect(textOf(await update("edit", again))).toContain("Nothing had to be changed");
      }),
      { numRuns: 300 },
    );
    expect(done).toBeGreaterThan(30);
  });
});
