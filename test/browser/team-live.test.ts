import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { english } from "../../src/texts/page/english.ts";
import { englishTeam as texts } from "../../src/texts/page/english-team.ts";
import { useChromium } from "./chromium.ts";
import { useTeamService } from "./team-service.ts";
import { violationsIn } from "./violations.ts";

useChromium();
const service = useTeamService();

const ROOF = "# Roof\n\nTiles are red.\n\nThe gutter is full.\n\nThe chimney smokes.\n";
const FILES = { "roof.md": ROOF, "loft.md": "# Loft\n\nThe floor comes first.\n" };
const NOTE = "/file/vault/roof.md";

function others(page: Page): ReturnType<Page["getByRole"]> {
  return page.getByRole("list", { name: texts.presence.label });
}

/** Writes at the end of the line that has this text. */
async function writeAfter(page: Page, line: string, text: string): Promise<void> {
  await page.locator(".cm-line", { hasText: line }).click();
  await page.keyboard.press("End");
  // As somebody types: one key after the other, with saves between them.
  await page.keyboard.type(text, { delay: 40 });
}

describe("two people in one note", () => {
  it("see each other, and that the other writes", async () => {
    const vault = await service.vault(FILES);
    const ada = await vault.open(await vault.member("Ada Lovelace", { "": "owner" }), NOTE);
    const bo = await vault.open(await vault.member("Bo Diddley", { "": "viewer" }), NOTE);
    await others(ada.page).getByText(texts.presence.reads("Bo Diddley")).waitFor();
    await others(bo.page).getByText(texts.presence.reads("Ada Lovelace")).waitFor();
    expect(await violationsIn(bo.page)).toEqual([]);
    await ada.page.getByRole("button", { name: english.write.edit }).click();
    await others(bo.page).getByText(texts.presence.writes("Ada Lovelace")).waitFor();
    // What she writes appears where he reads.
    await writeAfter(ada.page, "Tiles are red.", " Twelve are broken.");
    await bo.page.getByText("Twelve are broken.").waitFor();
    await bo.page.getByRole("treeitem", { name: /loft\.md/u }).click();
    await others(ada.page).waitFor({ state: "detached" });
    await ada.context.close();
    await bo.page.getByRole("treeitem", { name: /roof\.md/u }).click();
    await bo.page.getByText("Twelve are broken.").waitFor();
    expect(await others(bo.page).count()).toBe(0);
  });

  it("write at once, and no keystroke of either is lost", async () => {
    const vault = await service.vault(FILES);
    const ada = await vault.open(
      await vault.member("Ada Lovelace", { "": "owner" }),
      `${NOTE}?edit=yes`,
    );
    const bo = await vault.open(
      await vault.member("Bo Diddley", { "": "editor" }),
      `${NOTE}?edit=yes`,
    );
    for (const { page } of [ada, bo]) await page.locator(".cm-line").first().waitFor();
    const said = {
      ada: " Twelve of them are broken, and three are missing on the north side.",
      bo: " It blows back into the kitchen when the wind comes from the west.",
    };
    await Promise.all([
      writeAfter(ada.page, "Tiles are red.", said.ada),
      writeAfter(bo.page, "The chimney smokes.", said.bo),
    ]);
    const wanted = ROOF.replace("Tiles are red.", `Tiles are red.${said.ada}`).replace(
      "The chimney smokes.",
      `The chimney smokes.${said.bo}`,
    );
    await expect.poll(async () => vault.read("roof.md")).toContain(wanted);
    for (const { page } of [ada, bo]) {
      await expect
        .poll(async () => (await page.locator(".cm-line").allTextContents()).join("\n"))
        .toContain(wanted.trimEnd());
      await page.getByText(english.write.clean, { exact: true }).waitFor();
    }
  });

  it("write the same line, and nothing is overwritten until somebody chooses", async () => {
    const vault = await service.vault(FILES);
    const ada = await vault.open(
      await vault.member("Ada Lovelace", { "": "owner" }),
      `${NOTE}?edit=yes`,
    );
    const bo = await vault.open(await vault.member("Bo Diddley", { "": "editor" }), NOTE);
    await ada.page.locator(".cm-line").first().waitFor();
    await bo.page.getByRole("button", { name: english.write.edit }).click();
    await bo.page.locator(".cm-line").first().waitFor();
    await bo.context.setOffline(true);
    await writeAfter(bo.page, "Tiles are red.", " Bo counts nine.");
    await writeAfter(ada.page, "Tiles are red.", " Ada counts ten.");
    await expect.poll(async () => vault.read("roof.md")).toContain("Ada counts ten.");
    await bo.context.setOffline(false);
    await bo.page.getByText(english.write.conflict).waitFor();
    expect(await vault.read("roof.md")).not.toContain("Bo counts nine.");
    await bo.page.getByRole("button", { name: english.write.keepBoth }).click();
    await expect.poll(async () => vault.read("roof.md")).toContain("Bo counts nine.");
    expect(await vault.read("roof.md")).toContain("Ada counts ten.");
  });

  it("the history names who made a change, and whose change was undone", async () => {
    const vault = await service.vault(FILES);
    const ada = await vault.open(
      await vault.member("Ada Lovelace", { "": "owner" }),
      `${NOTE}?edit=yes`,
    );
    await ada.page.locator(".cm-line").first().waitFor();
    await writeAfter(ada.page, "Tiles are red.", " Twelve are broken.");
    await expect.poll(async () => vault.read("roof.md")).toContain("Twelve are broken.");
    const bo = await vault.open(await vault.member("Bo Diddley", { "": "editor" }), "/history");
    const entry = bo.page
      .getByRole("listitem")
      .filter({ hasText: "changed vault/roof.md" })
      .filter({ hasText: "by Ada Lovelace" })
      .first();
    await entry.getByRole("button", { name: "Undo Ada Lovelace’s change" }).click();
    await bo.page
      .getByRole("listitem")
      .filter({ hasText: "by Bo Diddley" })
      .getByText(/undoes a change by Ada Lovelace/u)
      .waitFor();
    expect(await vault.read("roof.md")).not.toContain("Twelve are broken.");
  });
});

describe("rights that change while the page is open", () => {
  it("an editor who becomes a viewer has nothing to write with any more, and what they wrote is kept", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "editor" });
    const { page, context } = await vault.open(bo, `${NOTE}?edit=yes`);
    await page.locator(".cm-line").first().waitFor();
    const settings = await vault.open(owner, "/settings/people");
    await settings.page.getByLabel(texts.people.roleOf("Bo Diddley")).waitFor();
    await context.setOffline(true);
    await writeAfter(page, "Tiles are red.", " Bo counts nine.");
    await settings.page.getByLabel(texts.people.roleOf("Bo Diddley")).selectOption("viewer");
    await expect
      .poll(async () => (await service.team.grants.rights(bo.id, vault.id)).mayWrite(""))
      .toBe(false);
    await context.setOffline(false);
    await page.getByText(texts.readsHere).waitFor();
    await page.getByText(texts.keptDraft).waitFor();
    expect(await page.locator(".cm-content").count()).toBe(0);
    expect(await page.getByRole("button", { name: english.composer.send }).count()).toBe(0);
    await settings.page.getByLabel(texts.people.roleOf("Bo Diddley")).selectOption("editor");
    await page.locator(".cm-content").waitFor();
    await expect.poll(async () => vault.read("roof.md")).toContain("Bo counts nine.");
  });

  it("somebody who is removed sees nothing of the vault any more, and the page comes back with their rights", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "viewer" });
    const { page } = await vault.open(bo, NOTE);
    await page.getByText("Tiles are red.").waitFor();
    const settings = await vault.open(owner, "/settings/people");
    await settings.page.getByRole("button", { name: `${texts.people.remove}: Bo Diddley` }).click();
    await settings.page
      .getByRole("button", { name: `${texts.people.removeNow}: Bo Diddley` })
      .click();
    await page.getByText(texts.closed.none).waitFor();
    expect(await page.locator("body").textContent()).not.toMatch(/Tiles|roof|loft/u);
    expect(await violationsIn(page)).toEqual([]);
    await vault.grant(bo.id, { "": "viewer" });
    await page.getByText("Tiles are red.").waitFor();
  });

  it("somebody whose login ended is asked to log in again", async () => {
    const vault = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "viewer" });
    const { page } = await vault.open(bo, NOTE);
    await page.getByText(texts.readsHere).waitFor();
    await service.team.sessions.endAll(bo.id);
    await page.getByRole("link", { name: texts.closed.loginAgain }).waitFor();
    expect(await page.locator("body").textContent()).not.toContain("Tiles");
  });
});
