import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { pictures } from "./picture.ts";
import { startService } from "./service.ts";
import { bodyOf, UNTIDY, UNTIDY_FRENCH } from "./untidy-vault.ts";
import { violationsIn } from "./violations.ts";

useChromium();

it("shows numbered proposals, applies those that are chosen, and one undo takes them back", async () => {
  const service = await startService({ files: UNTIDY });
  const { page, complaints } = await visit(service.link);
  await page.getByRole("link", { name: "Inbox" }).first().click();
  await page.getByRole("button", { name: "Look for what is untidy" }).click();
  const tidying = page.getByRole("region", { name: "Tidying" });
  const status = tidying.getByRole("checkbox", { name: /calls loft "active"/u });
  await status.waitFor();
  await tidying.getByText("Overdue since 2025-11-25: Fetch the kiln").waitFor();
  await tidying.getByText("(paused)").waitFor();
  await pictures(page, "tidy", "en");
  expect(await violationsIn(page)).toEqual([]);
  await status.uncheck();
  await tidying.getByRole("checkbox", { name: /bucket\/polmear/u }).uncheck();
  await tidying.getByRole("button", { name: "Apply selected (2)" }).click();
  const updates = page.getByRole("region", { name: "Updates" });
  await updates.getByText("Tidied: 2 of 4 made.").waitFor();
  await page.getByText("This item is not in the inbox any more.").waitFor();
  expect(service.read("overview.md")).toContain("(active)");
  expect(service.read("overview.md")).toContain("Nothing waits.");
  expect(service.read("projects/loft/changelog.md").match(/^# 2025-11-08$/gmu)).toHaveLength(1);
  expect(service.names("bucket")).toContain("polmear-2.md");
  await updates.getByRole("button", { name: "Undo" }).click();
  await updates.getByText("Undone").waitFor();
  await status.waitFor();
  expect(bodyOf(service.read("projects/loft/changelog.md"))).toBe(
    UNTIDY["projects/loft/changelog.md"],
  );
  // The item was asked for once more when it was gone.
  expect(complaints.filter((each) => !each.includes("404"))).toEqual([]);
});

it("names the file that somebody changed meanwhile, and changes nothing", async () => {
  const service = await startService({ files: UNTIDY_FRENCH });
  const { page } = await visit(service.link, {
    locale: "fr-FR",
  });
  await page.getByRole("link", { name: "À trier" }).first().click();
  await page.getByRole("button", { name: "Chercher ce qui est en désordre" }).click();
  const tidying = page.getByRole("region", { name: "Rangement" });
  await tidying.getByText("dit de voilerie « active »").waitFor();
  await tidying.getByText("(en pause)").waitFor();
  await pictures(page, "tidy", "fr");
  service.write("overview.md", `${service.read("overview.md")}\nQuelqu'un était plus rapide.\n`);
  await tidying.getByRole("button", { name: "Appliquer la sélection (3)" }).click();
  const updates = page.getByRole("region", { name: "Notes envoyées" });
  await updates.getByText("vault/overview.md").waitFor();
  expect(bodyOf(service.read("projects/voilerie/changelog.md"))).toBe(
    UNTIDY_FRENCH["projects/voilerie/changelog.md"],
  );
  await tidying.getByRole("button", { name: "Ignorer" }).click();
  await page.getByText("Cet élément n’est plus à trier.").waitFor();
});
