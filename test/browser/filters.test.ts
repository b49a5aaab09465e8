import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { PUMP_NOTES } from "./small-vaults.ts";

useChromium();

it("completes a filter while a search is typed, by keys and by a click", async () => {
  const service = await startService({ files: PUMP_NOTES });
  const { page } = await visit(service.link);
  await page.keyboard.press("Control+k");
  const input = page.getByRole("combobox");
  await input.pressSequentially("pump stat");
  const options = page.getByRole("listbox", { name: "Filters" }).getByRole("option");
  await options.filter({ hasText: "status:" }).waitFor();
  await input.press("ArrowDown");
  await input.press("Enter");
  expect(await input.inputValue()).toBe("pump status:");
  await input.pressSequentially("b");
  await options.filter({ hasText: "status:broken" }).click();
  expect(await input.inputValue()).toBe("pump status:broken ");
  await page.getByText("The pump in the cellar.").waitFor();
  expect(await page.getByText("The pump that was sold.").count()).toBe(0);
  await input.fill("tag:house");
  await options.filter({ hasText: "tag:house/cellar" }).waitFor();
  await input.press("Escape");
  expect(await options.count()).toBe(0);
});
