import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { pictures } from "./picture.ts";
import { startService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

/** Untidy, whatever the day is. */
const english = {
  "overview.md":
    "# Overview\n\n## Right now\n\nThe loft takes all the time.\n\n## Projects\n\n- **loft** (active): a pottery studio on the quay. 35 of 48 places sold. See [[projects/loft/state]].\n\n## Inbox\n\n3 items waiting.\n",
  "profile.md": "# Profile\n\nMakes pots.\n",
  "projects/loft/state.md":
    "## Status\n\nPaused. No work before spring.\n\n## Sales\n\n31 of 48 places are sold. The wheels will be delivered on 2025-11-10.\n",
  "projects/loft/description.md": "# The loft\n\nA pottery studio on the quay.\n",
  "projects/loft/changelog.md":
    "# 2025-11-08\n\n## [decision] Opening moved\nTo the end of the year.\n\n# 2025-11-07\n\n## Letter\nThe supply is late.\n\n# 2025-11-08\n\n## Bea has the list\nAll 31 names.\n",
  "projects/loft/tasks.md":
    "# Fetch the kiln\nstatus: doing | prio: high | added: 2025-11-03 | project: loft\ndeadline: 2025-11-25\nIn Penryn.\n",
  "bucket/quotes.md": "Quotes: [[bucket/polmear]] and Brightwater.\n",
  "bucket/polmear.md": "£4,280, all included.\n",
  "bucket/polmear-2.md": "£4,280, all included.\n",
};

const french = {
  "overview.md":
    "# Vue d'ensemble\n\n## En ce moment\n\nLa voilerie prend tout le temps, et les commandes attendent.\n\n## Projets\n\n- **voilerie** (active) : un atelier de poterie sur le quai. Voir [[projects/voilerie/state]].\n\n## Boîte de réception\n\n2 éléments en attente.\n",
  "projects/voilerie/state.md":
    "## Statut\n\nEn pause. Pas de travaux avant le printemps.\n\n## Ventes\n\nLes tours seront livrés le 2025-11-10.\n",
  "projects/voilerie/description.md": "# La voilerie\n\nUn atelier de poterie sur le quai.\n",
  "projects/voilerie/changelog.md":
    "# 2025-11-08\n\n## [décision] Ouverture repoussée\nÀ la fin de l'année.\n\n# 2025-11-08\n\n## Béa a la liste\nLes 31 noms.\n",
};

/** Without what the background job writes above it. */
function bodyOf(text: string): string {
  return text.replace(/^---\n[\s\S]*?\n---\n+/u, "");
}

it("shows numbered proposals, applies those that are chosen, and one undo takes them back", async () => {
  const service = await startService({ files: english });
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
    english["projects/loft/changelog.md"],
  );
  // The item was asked for once more when it was gone.
  expect(complaints.filter((each) => !each.includes("404"))).toEqual([]);
});

it("names the file that somebody changed meanwhile, and changes nothing", async () => {
  const service = await startService({ files: french });
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
    french["projects/voilerie/changelog.md"],
  );
  await tidying.getByRole("button", { name: "Ignorer" }).click();
  await page.getByText("Cet élément n’est plus à trier.").waitFor();
});
