import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { callerOf, temporaryVault, textOf } from "../../testing/temporary-vault.ts";

const LOG = `# 2026-11-03

## [decision] Polmear does the electrics
£4,280 against £3,650.
He can start in two weeks.

## Kiln paid
£2,400 to the college.
`;
const ENTRY = "# 2026-11-16\n\n## The electrics cost more\nNow £4,510 with the sockets.";
const TARGET = { path: "vault/projects/loft/changelog.md", lines: "3-5", value: "£4,280" };
const LINE = "Replaces: [[projects/loft/changelog#decision Polmear does the electrics]] (£4,280)";

function home(files: Readonly<Record<string, string>> = {}) {
  const vault = temporaryVault({ "projects/loft/changelog.md": LOG, ...files });
  return {
    ...callerOf(vault),
    read: (name: string): string => readFileSync(path.join(vault.root, name), "utf8"),
  };
}

describe("append with replaces", () => {
  it("ends the new entry with the line that names the old statement, which stays", async () => {
    const { update, read } = home();
    const result = await update("append", {
      path: "projects/loft/changelog.md",
      content: ENTRY,
      position: "top",
      replaces: TARGET,
    });
    expect(result.isError).toBe(false);
    expect(read("projects/loft/changelog.md")).toBe(`${ENTRY}\n${LINE}\n\n${LOG}`);
  });

  it("writes it in French below a French text, apart from a list", async () => {
    const { update, read } = home();
    await update("append", {
      path: "changelog.md",
      content: "## L'électricité\n- Elle coûte maintenant 4 510 livres avec les prises",
      position: "top",
      replaces: [{ path: "projects/loft/changelog.md", lines: "8" }],
    });
    expect(read("changelog.md")).toMatch(
      /prises\n\nRemplace : \[\[projects\/loft\/changelog#Kiln paid\]\] \(£2,400 to the college\.\)\n$/u,
    );
  });

  it("names as many headings as tell the section from others, and a near file by its place", async () => {
    const { update, read } = home({
      "changelog.md": "# 2026-02-02\n\n## Call\nSix.\n\n# 2026-01-01\n\n## Call\nFour.\n",
      "projects/loft/notes.md": "Begin.\n",
    });
    await update("append", {
      path: "projects/loft/notes.md",
      content: "It is five.",
      position: "bottom",
      replaces: [{ path: "changelog.md", lines: "9-9", value: "none of it" }],
    });
    expect(read("projects/loft/notes.md")).toBe(
      "Begin.\n\nIt is five.\nReplaces: [[/changelog#2026-01-01#Call]] (none of it)\n",
    );
  });

  it("tells a statement under no heading by its words", async () => {
    const { update, read } = home({ "bucket/mail.md": "Hello.\nThe slates cost 310.\n\nBye.\n" });
    await update("append", {
      path: "changelog.md",
      content: "## Slates: 290",
      position: "top",
      replaces: [{ path: "bucket/mail.md", lines: "2" }],
    });
    expect(read("changelog.md")).toBe(
      "## Slates: 290\n\nReplaces: [[bucket/mail]] (The slates cost 310.)\n",
    );
  });

  it.each([
    [{ path: "none.md", lines: "1" }, "not_found", "none.md does not exist"],
    [{ path: "projects/loft", lines: "1" }, "invalid_argument", "is not a note that search finds"],
    [{ path: "profile.md", lines: "1" }, "invalid_argument", "is simply edited"],
    [{ ...TARGET, lines: "7-9" }, "invalid_argument", "has 8 lines"],
    [{ ...TARGET, lines: "x" }, "invalid_argument", 'not of the form "9-14"'],
    [{ ...TARGET, lines: "" }, "invalid_argument", "is not inside"],
    [{ ...TARGET, lines: "3-8" }, "invalid_argument", "several sections (lines 3-6, 7-8)"],
    [{ ...TARGET, lines: "2" }, "invalid_argument", "hold no text"],
    [{ path: "twice.md", lines: "4", value: "nine" }, "ambiguous", 'called "Call"'],
  ])("refuses %j, and writes nothing", async (replaces, code, message) => {
    const { update, read } = home({
      "profile.md": "Me.\n",
      "twice.md": "## Call\nSame.\n\n## Call\nSame.\n",
    });
    const before = read("projects/loft/changelog.md");
    const args = { path: "projects/loft/changelog.md", content: "x", position: "top", replaces };
    const result = await update("append", args);
    expect(result.structured).toMatchObject({ error: { code } });
    expect(textOf(result)).toContain(message);
    expect(read("projects/loft/changelog.md")).toBe(before);
  });

  it.each(["bucket/mail.md", "projects/loft/bucket/mail.md", "profile.md", "copied.md"])(
    "refuses an entry in %s, which replaces nothing",
    async (file) => {
      const { update } = home({ "copied.md": "---\nuntrusted: true\n---\n\nHello.\n" });
      const args = { path: file, content: "x", position: "top", replaces: [TARGET] };
      expect(textOf(await update("append", args))).toContain("replaces nothing");
    },
  );
});

describe("edit with replaces", () => {
  const NOTE = "# Costs\r\nElectrics: 4510.\r\nPaint: 3.\r\n\r\n# Other\r\n";

  async function edited(args: object): Promise<{ text: string; file: string }> {
    const { update, read } = home({ "costs.md": NOTE });
    await update("read", { paths: ["costs.md"] });
    const result = await update("edit", { path: "costs.md", ...args });
    return { text: textOf(result), file: read("costs.md") };
  }

  it("puts the line at the end of the section that was changed, once", async () => {
    const args = { old_content: "4510", new_content: "4,520", replaces: [TARGET, TARGET] };
    const { file, text } = await edited(args);
    expect(file).toBe(`# Costs\r\nElectrics: 4,520.\r\nPaint: 3.\r\n${LINE}\r\n\r\n# Other\r\n`);
    expect(text).toContain("| Replaces:");
  });

  it("adds it to an entry that is there, which else stays as it is", async () => {
    const same = "Paint: 3.";
    const { file } = await edited({ old_content: same, new_content: same, replaces: TARGET });
    expect(file).toContain(`Paint: 3.\r\n${LINE}\r\n\r\n# Other`);
  });

  it("refuses it without a new text, and for the lines that it changes itself", async () => {
    const none = await edited({ properties: { set: ["a: 1"] }, replaces: [TARGET] });
    expect(none).toEqual({ text: expect.stringContaining("goes with a new text"), file: NOTE });
    const own = await edited({
      old_content: "Electrics: 4510.",
      new_content: "Electrics: 4600.",
      replaces: [{ path: "costs.md", lines: "2" }],
    });
    expect(own).toEqual({ text: expect.stringContaining("Leave replaces out"), file: NOTE });
  });
});
