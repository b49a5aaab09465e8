import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { demoTurn, NOTE } from "./demo-model.ts";
import { startService } from "./service.ts";

useChromium();

const STATE = "projects/sail-loft/state.md";

it("shows what a note would change before it is changed, through a reload, and changes it on yes", async () => {
  const service = await startService({ model: demoTurn });
  const { page, complaints } = await visit(service.link);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("checkbox", { name: "Show me first" }).check();
  await page.locator("textarea").fill(NOTE);
  await page.getByRole("button", { name: "Send" }).click();
  const updates = page.getByRole("region", { name: "Updates" });
  const change = updates.getByRole("region", { name: `vault/${STATE}` });
  await change.getByText("Electrics first, a day earlier than planned.").waitFor();
  expect(service.read(STATE)).not.toContain("a day earlier");
  await page.reload();
  await change.getByText("Electrics first, a day earlier than planned.").waitFor();
  expect(await page.getByRole("checkbox", { name: "Show me first" }).isChecked()).toBe(true);
  await updates.getByRole("button", { name: "Make these changes" }).click();
  await updates.getByText("Filed", { exact: true }).waitFor();
  expect(service.read(STATE)).toContain("a day earlier");
  await updates.getByRole("button", { name: "Undo" }).click();
  await updates.getByText("Undone").waitFor();
  expect(service.read(STATE)).not.toContain("a day earlier");
  expect(complaints).toEqual([]);
});

it("names the file that somebody changed meanwhile, and discards the preview", async () => {
  const service = await startService({ model: demoTurn });
  const { page } = await visit(service.link, {
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    locale: "fr-FR",
  });
  await page.locator("textarea").fill(NOTE);
  // On a telephone it is there once something is written.
  await page.getByRole("checkbox", { name: "Me montrer d’abord" }).check();
  await page.getByRole("button", { name: "Envoyer" }).click();
  const updates = page.getByRole("region", { name: "Notes envoyées" });
  await updates.getByText("Rien n’est encore changé.").waitFor();
  service.write(STATE, `${service.read(STATE)}\nSomebody was quicker.\n`);
  await updates.getByRole("button", { name: "Faire ces changements" }).click();
  await updates.getByRole("alert").getByText(`vault/${STATE}`).waitFor();
  await updates.getByRole("button", { name: "Abandonner" }).click();
  await updates.getByText("Rien n’est encore changé.").waitFor({ state: "hidden" });
  expect(service.read(STATE)).not.toContain("a day earlier");
});
