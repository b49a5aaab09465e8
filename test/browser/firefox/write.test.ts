import { describe, expect, it } from "vitest";

import { startService, type TestService } from "../service.ts";
import type { FirefoxPage } from "./firefox-page.ts";
import { useFirefox, visitFirefox } from "./firefox.ts";

useFirefox();

const PLAN = "projects/loft/plan.md";
const FILES = {
  [PLAN]: "# Plan\n\nFirst line.\n\nMiddle line.\n\nLast line.\n\n- [ ] Buy rope\n",
  "projects/loft/notes.md":
    "# Notes\n\nAs the [[plan]] says, and [here](plan.md).\n\nSee [[nowhere]].\n",
  "overview.md": "# Overview\n\n[[projects/loft/plan|The plan]]\n",
  "rope.md": "# Rope\n\nFor the [[plan]]. #rigging\n",
};

async function edit(service: TestService, page: FirefoxPage): Promise<void> {
  await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
  await page.waitFor(".cm-content");
}

/** Waits until the vault has a text. */
async function untilSaved(service: TestService, text: string): Promise<void> {
  await expect.poll(() => service.read(PLAN), { timeout: 30_000 }).toContain(text);
}

describe("a note is written in Firefox", () => {
  it("with markdown keys and completion, and read again", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visitFirefox(service.link);
    await page.goto(`${service.address}/file/vault/${PLAN}`);
    await page.waitFor("h1", { text: "Plan" });
    await page.click("button", { text: "Edit" });
    await page.cursorAfter("First line.");
    await page.type(" And ");
    await page.press("Control+b");
    await page.type("bold");
    await page.press("Control+b");
    await page.type(" and [[not");
    await page.click("[role=option]", { text: "notes" });
    await page.cursorAfter("- [ ] Buy rope");
    await page.press("Enter");
    await page.type("Splice it #rig");
    await page.click("[role=option]", { text: "rigging" });
    await untilSaved(service, "First line. And **bold** and [[notes]]\n");
    await untilSaved(service, "- [ ] Buy rope\n- [ ] Splice it #rigging\n");
    await page.click("button", { text: "Done" });
    await page.waitFor(".prose strong", { text: "bold" });
    expect(await page.count(".cm-content")).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("in two pages and by a program at once: all of it is there", async () => {
    const service = await startService({ files: FILES });
    const one = await visitFirefox(service.link);
    const two = await visitFirefox(await service.newLink());
    await edit(service, one.page);
    await edit(service, two.page);
    await one.page.cursorAfter("First line.");
    await two.page.cursorAfter("Last line.");
    await Promise.all([one.page.type(" From one page."), two.page.type(" From the other page.")]);
    service.write(PLAN, service.read(PLAN).replace("Middle line.", "Middle line, by a program."));
    for (const part of [
      "First line. From one page.",
      "Middle line, by a program.",
      "Last line. From the other page.",
    ]) {
      await untilSaved(service, part);
      for (const { page } of [one, two]) await page.waitFor(".cm-line", { text: part });
    }
    expect([...one.complaints, ...two.complaints]).toEqual([]);
  });

  it("on the same line as somebody else: both are shown, and both can be kept", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visitFirefox(service.link);
    await edit(service, page);
    await service.stop();
    await page.cursorAfter("Middle line.");
    await page.type(" Mine.");
    await page.waitFor("p, span, div", { text: "The service does not answer. What you write" });
    service.write(PLAN, service.read(PLAN).replace("Middle line.", "Middle line. Theirs."));
    await service.start();
    await page.waitFor("section", { text: "Middle line. Theirs." });
    expect(service.read(PLAN)).not.toContain("Mine.");
    await page.click("button", { text: "Keep both" });
    await untilSaved(service, "Middle line. Mine.\nMiddle line. Theirs.\n");
  });

  it("while the service is killed and the page reloaded: no keystroke is lost", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visitFirefox(service.link);
    await edit(service, page);
    await page.cursorAfter("Middle line.");
    const words = Array.from({ length: 40 }, (_, at) => ` word${at}`);
    await page.type(words.slice(0, 10).join(""));
    await untilSaved(service, "word9");
    const typing = page.type(words.slice(10).join(""));
    await service.kill();
    await typing;
    await page.waitFor("p, span, div", { text: "The service does not answer. What you write" });
    await service.start();
    await page.reload();
    await untilSaved(service, `Middle line.${words.join("")}\n`);
    expect(service.read(PLAN)).toContain("First line.\n");
  });
});

describe("links in Firefox", () => {
  it("are shown from both ends, dead ones create their note, and a move takes them along", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visitFirefox(service.link);
    await page.goto(`${service.address}/file/vault/projects/loft/notes.md`);
    await page.click("a.dead-link", { text: "nowhere" });
    await page.click("button", { text: "Create this note" });
    await page.waitFor(".cm-content");
    expect(service.read("projects/loft/nowhere.md")).toContain("# nowhere");
    await page.goto(`${service.address}/file/vault/${PLAN}`);
    await page.waitFor("h2", { text: "Linked from 2 notes" });
    await page.click("button", { text: "Move or rename" });
    await page.waitFor("input[value$='plan.md']");
    await page.press("Control+a");
    await page.type("vault/projects/loft/2026/rigging plan.md");
    await page.press("Enter");
    await page.waitFor("[role=status]", { text: "4 links rewritten" });
    expect(service.read("projects/loft/notes.md")).toContain(
      "As the [[rigging plan]] says, and [here](2026/rigging%20plan.md).",
    );
    await page.click("[role=status] button", { text: "Undo" });
    await expect
      .poll(() => service.read("projects/loft/notes.md"))
      .toContain("As the [[plan]] says, and [here](plan.md).");
  });

  it("and tasks are ticked where they are read", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visitFirefox(service.link);
    await page.goto(`${service.address}/file/vault/${PLAN}`);
    await page.click(".prose input[type=checkbox]");
    await untilSaved(service, "- [x] Buy rope");
    await page.waitFor(".prose input:checked");
    expect(service.read(PLAN)).not.toContain("- [ ]");
  });
});
