import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { FOREIGN_NOTES } from "./small-vaults.ts";

useChromium();

it("asks what may be written into notes that were there before, does it, and takes it back", async () => {
  const service = await startService({ files: FOREIGN_NOTES, isForeign: true });
  const { page, complaints } = await visit(service.link);
  const card = page.getByRole("region", { name: "These notes were here before coffre" });
  await card.getByText("4 notes change; one undo takes all of it back.").waitFor();
  for (const [name, text] of Object.entries(FOREIGN_NOTES)) expect(service.read(name)).toBe(text);
  await card.getByText("4 notes here.").waitFor();
  await card.getByText("What 3 of the notes would look like").click();
  await card
    .getByRole("table")
    .first()
    .getByText(/^created: /u)
    .waitFor();
  expect(await card.getByRole("table").count()).toBe(3);
  // A note of that name is theirs, so it is among those that changed last.
  await page.getByRole("main").getByRole("link", { name: /tree/u }).first().waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await card.getByRole("button", { name: "Into all notes" }).click();
  await card.getByText("Done: 4 files were changed.").waitFor();
  expect(service.read("oak.md")).toMatch(/^---\ncreated: /u);
  await card.getByRole("button", { name: "Undo" }).click();
  await card.getByText("Taken back.").waitFor();
  for (const [name, text] of Object.entries(FOREIGN_NOTES)) expect(service.read(name)).toBe(text);
  await page.reload();
  await page.getByRole("treeitem", { name: /oak\.md/u }).waitFor();
  expect(await card.count()).toBe(0);
  expect(complaints).toEqual([]);
});

it("no longer says that notes stay as they are, once frontmatter is written into all of them", async () => {
  const service = await startService({ files: { "trees/oak.md": "# The oak\n" }, isForeign: true });
  const { page, complaints } = await visit(service.link);
  const counted = page.getByRole("main").getByText(/^\d files? in 1 folder\./u);
  await page.getByText("1 file in 1 folder. They stay as they are.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Into all notes" }).click();
  await page.getByText("Done: 1 file was changed.").waitFor();
  await expect.poll(async () => counted.textContent()).toMatch(/folders?\.$/u);
  expect(complaints).toEqual([]);
});
