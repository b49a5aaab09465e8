import { describe, expect, it } from "vitest";

import { demoTurn, NOTE } from "../demo-model.ts";
import { replaceFact, SCENES } from "../evidence-scenes.ts";
import { startService } from "../service.ts";
import { ALIAS_NOTES, FOREIGN_NOTES, PUMP_NOTES } from "../small-vaults.ts";
import { bodyOf, UNTIDY } from "../untidy-vault.ts";
import { useFirefox, visitFirefox } from "./firefox.ts";

useFirefox();

const CARD = "section[aria-label='These notes were here before coffre']";
const TIDYING = "section[aria-label='Tidying']";
const UPDATES = "section[aria-label='Updates']";

describe("changes that are proposed, in Firefox", () => {
  it("are chosen by their numbers when one tidies, and taken back at once", async () => {
    const service = await startService({ files: UNTIDY });
    const { page, complaints } = await visitFirefox(service.link);
    await page.click("a", { text: "Inbox" });
    await page.click("button", { text: "Look for what is untidy" });
    await page.waitFor(`${TIDYING} li`, { text: "Overdue since 2025-11-25: Fetch the kiln" });
    await page.click(`${TIDYING} label`, { text: "2. " });
    await page.click(`${TIDYING} label`, { text: "4. " });
    await page.click("button", { text: "Apply selected (2)" });
    await page.waitFor(UPDATES, { text: "1,3" });
    await page.waitFor(UPDATES, { text: "Tidied: 2 of 4 made." });
    const overview = service.read("overview.md");
    expect(overview).toContain("Nothing waits.");
    expect(overview).toContain("(active)");
    expect(service.read("projects/loft/changelog.md").match(/^# 2025-11-08$/gmu)).toHaveLength(1);
    expect(service.names("bucket")).toContain("polmear-2.md");
    await page.click(`${UPDATES} button`, { text: "Undo" });
    await page.waitFor(UPDATES, { text: "Undone" });
    await page.waitFor(`${TIDYING} label`, { text: "4. " });
    for (const [name, text] of Object.entries(UNTIDY))
      expect(bodyOf(service.read(name)), name).toBe(text);
    expect(complaints).toEqual([]);
  });

  it("are seen on the card that asks what may be written into notes, made, and taken back", async () => {
    const service = await startService({ files: FOREIGN_NOTES, isForeign: true });
    const { page, complaints } = await visitFirefox(service.link);
    await page.waitFor(`${CARD} li`, { text: "4 notes change; one undo takes all of it back." });
    await page.click(`${CARD} summary`, { text: "What 3 of the notes would look like" });
    await page.waitFor(`${CARD} table`, { text: "created: " });
    expect(await page.count(`${CARD} table`)).toBe(3);
    await page.click(`${CARD} button`, { text: "Into all notes" });
    await page.waitFor(CARD, { text: "Done: 4 files were changed." });
    expect(service.read("oak.md")).toMatch(/^---\ncreated: /u);
    await page.click(`${CARD} button`, { text: "Undo" });
    await page.waitFor(CARD, { text: "Taken back." });
    for (const [name, text] of Object.entries(FOREIGN_NOTES))
      expect(service.read(name), name).toBe(text);
    await page.reload();
    await page.waitFor("section", { text: "files indexed" });
    expect(await page.count(CARD)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("by one run are one row of the history, which unfolds and is undone as one", async () => {
    const service = await startService({ model: demoTurn });
    const { page, complaints } = await visitFirefox(service.link);
    const files = ["projects/sail-loft/changelog.md", "projects/sail-loft/state.md"];
    const before = files.map((file) => bodyOf(service.read(file)));
    await page.click("textarea");
    await page.type(NOTE);
    await page.click("button", { text: "Send" });
    await page.waitFor(`${UPDATES} button`, { text: "Undo" });
    for (const file of files) expect(service.read(file), file).toContain("a day earl");
    await page.goto(`${service.address}/history`);
    await page.click("main li button", { text: "Show what the run changed" });
    await page.waitFor("main li li", { text: "changelog.md" });
    await page.waitFor("main li li", { text: "state.md" });
    await page.waitFor("main li", { text: "One run: 2 changes in 2 files" });
    const row =
      "[...document.querySelectorAll('main li')].find((each) => each.textContent.includes('One run: 2 changes'))";
    const undos = `[...${row}.querySelectorAll('button')].filter((each) => each.innerText.trim() === "Undo").length`;
    expect(await page.evaluate(undos)).toBe(1);
    await page.click("main li button", { text: "Undo" });
    await page.waitFor("main li span", { text: "undone" });
    expect(files.map((file) => bodyOf(service.read(file)))).toEqual(before);
    expect(complaints).toEqual([]);
  });
});

describe("what is found in Firefox", () => {
  it("are the sources of an answer, with what became of them since", async () => {
    const { question, older, replaced, note, query, log } = SCENES.en;
    const service = await startService();
    const { page, complaints } = await visitFirefox(service.link);
    await page.press("Control+k");
    await page.type(question);
    await page.press("Enter");
    await page.waitFor("main figure figcaption", { text: `vault/${log}` });
    await page.waitFor("main figure", { text: "Polmear" });
    expect(await page.evaluate("document.querySelector('main').innerText")).not.toMatch(older);
    replaceFact(service, "en");
    await page.waitFor("main [role=status]", { text: replaced });
    expect(await page.evaluate("document.querySelector('main').innerText")).toMatch(older);
    await page.goto(`${service.address}/search?q=${encodeURIComponent(query)}`);
    await page.waitFor("main article", { text: note });
    expect(complaints).toEqual([]);
  });

  it("is narrowed by filters: completed as they are typed, added and removed with buttons", async () => {
    const service = await startService({ files: PUMP_NOTES });
    const { page, complaints } = await visitFirefox(service.link);
    await page.waitFor("section", { text: "2 files indexed" });
    await page.press("Control+k");
    await page.type("pump stat");
    await page.click("[role=option]", { text: "status:" });
    await page.type("b");
    await page.click("[role=option]", { text: "status:broken" });
    await page.waitFor("main button", { text: "Remove status:broken" });
    await page.waitFor("main section[aria-label='vault/pump.md']");
    await expect.poll(async () => page.count("main section[aria-label='vault/other.md']")).toBe(0);
    await page.click("main button", { text: "Remove status:broken" });
    await page.waitFor("main section[aria-label='vault/other.md']");
    await page.click("main button", { text: "+ Tag" });
    await page.click("main input[aria-label=Tag]");
    await page.type("house");
    await page.press("Enter");
    await page.waitFor("main button", { text: "Remove tag:house" });
    await expect.poll(async () => page.count("main section[aria-label='vault/other.md']")).toBe(0);
    await page.waitFor("main section[aria-label='vault/pump.md']");
    expect(complaints).toEqual([]);
  });

  it("are links by an alias, the lines that lead back, and a note to create", async () => {
    const service = await startService({ files: { ...ALIAS_NOTES, "elm.md": "[[nowhere]]\n" } });
    const { page, complaints } = await visitFirefox(service.link);
    await page.waitFor("section", { text: "3 files indexed" });
    await page.goto(`${service.address}/file/vault/diary.md`);
    await page.click("main .prose a", { text: "Zorglub" });
    await page.waitFor("h1", { text: "The oak" });
    await page.waitFor("h2", { text: "Linked from one note" });
    await page.click("main section li li a", { text: "Saw [[Zorglub]]" });
    await page.waitFor("h1", { text: "Diary" });
    await page.goto(`${service.address}/file/vault/elm.md`);
    await page.click("a.dead-link", { text: "nowhere" });
    await page.waitFor("button", { text: "Create this note" });
    expect(service.names(".")).not.toContain("nowhere.md");
    await page.click("button", { text: "Create this note" });
    await page.waitFor(".cm-content");
    expect(service.read("nowhere.md")).toContain("# nowhere");
    expect(complaints).toEqual([]);
  });
});
