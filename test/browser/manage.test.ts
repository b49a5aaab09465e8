import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const FILES = {
  "projects/loft/plan.md":
    "---\ntags:\n  - rope\n  - old sails\naliases: []\nDue date: soon\ndesc: |\n  Several\n  lines\n---\n\n# Plan\n\nFirst.\n",
  "projects/loft/notes.md": "# Notes\n\nSee [[projects/loft/plan]].\n",
  "diary.md": "# Diary\n\nSee [[projects/loft/plan]].\n",
};

it("a folder is renamed with the links to what is in it, deleted, and brought back", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  await page.goto(`${service.address}/folder/vault/`);
  await page.getByRole("button", { name: "New note" }).waitFor();
  expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await page.goto(`${service.address}/folder/vault/projects/loft/`);
  await page.getByRole("button", { name: "Move or rename" }).click();
  await page.getByLabel("New path").fill("vault/projects/attic");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByText("Moved to vault/projects/attic/; 2 links rewritten.").waitFor();
  await page.getByRole("heading", { name: "attic" }).waitFor();
  expect(service.read("diary.md")).toContain("[[projects/attic/plan]]");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("attic was deleted.").waitFor();
  expect(service.names("projects")).not.toContain("attic");
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "plan.md" }).first().waitFor();
  expect(service.names("projects/attic")).toContain("plan.md");
});

it("the open note is edited by a key, and moved, deleted and followed by a new one from the palette", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  const command = async (name: string): Promise<void> => {
    await page.keyboard.press("ControlOrMeta+p");
    await page.getByRole("dialog").getByRole("combobox").fill(name);
    await page.getByRole("option", { name }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  };
  await page.goto(`${service.address}/file/vault/diary.md`);
  await page.getByRole("heading", { name: "Diary" }).waitFor();
  await page.locator("main").focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Edit", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator("main").focus();
  await page.keyboard.press("e");
  await page.locator(".cm-content").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("heading", { name: "Diary" }).waitFor();
  await command("Move or rename");
  // Without its extension, as a new note is named.
  await page.getByLabel("New path").fill("vault/journal");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await page.getByText("Moved to vault/journal.md").waitFor();
  await command("Delete");
  await page.getByText("journal.md was deleted.").waitFor();
  expect(service.names("")).not.toContain("journal.md");
  await page.goto(`${service.address}/file/vault/projects/loft/notes.md`);
  await page.getByRole("heading", { name: "Notes" }).waitFor();
  await command("New note");
  await page.getByLabel("Name of the new note").fill("Sails");
  await page.keyboard.press("Enter");
  await page.locator(".cm-content").waitFor();
  expect(service.read("projects/loft/Sails.md")).toContain("# Sails");
});

it("lists and names with spaces are among the properties, and what takes several lines stays as it is", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  const plan = "projects/loft/plan.md";
  await page.goto(`${service.address}/file/vault/${plan}?edit=yes`);
  const tags = page.getByRole("textbox", { name: "tags" });
  await expect.poll(async () => tags.inputValue()).toBe("rope, old sails");
  expect(await page.getByRole("textbox", { name: "desc" }).count()).toBe(0);
  expect(await violationsIn(page)).toEqual([]);
  await tags.fill('rope, "masts, spars"');
  await page.keyboard.press("Enter");
  await expect.poll(() => service.read(plan)).toContain("tags:\n  - rope\n  - masts, spars\n");
  await page.getByRole("textbox", { name: "aliases" }).fill("The loft");
  await page.keyboard.press("Enter");
  await expect.poll(() => service.read(plan)).toMatch(/aliases:\s+(?:- |\[ ?)The loft/u);
  await page.getByRole("textbox", { name: "Due date" }).fill("today");
  await page.keyboard.press("Enter");
  await expect.poll(() => service.read(plan)).toContain("Due date: today\n");
  expect(service.read(plan)).toContain("desc: |\n  Several\n  lines\n");
});
