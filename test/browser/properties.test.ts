import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const PLAN = "projects/loft/plan.md";
const FILES = { [PLAN]: "---\nstatus: open\nowner: Jo\n---\n\n# Plan\n\nFirst line.\n" };

it("what is typed into a property stays, with its focus, when somebody else changes it: both are shown", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
  const status = page.getByRole("textbox", { name: "status" });
  await status.fill("mine");
  service.write(PLAN, service.read(PLAN).replace("status: open", "status: theirs"));
  const both = page.getByRole("group", { name: /Somebody else changed status/u });
  await both.getByText("theirs", { exact: true }).waitFor({ timeout: 20_000 });
  expect(await status.inputValue()).toBe("mine");
  await page.keyboard.type(" and more");
  expect(await status.inputValue()).toBe("mine and more");
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "owner" }).focus();
  expect(service.read(PLAN)).toContain("status: theirs\n");
  expect(await violationsIn(page)).toEqual([]);
  await both.getByRole("button", { name: "Keep mine" }).click();
  await expect.poll(() => service.read(PLAN)).toContain("status: mine and more\n");
  await both.waitFor({ state: "detached" });
});

it("what is typed into properties survives a service that is away, a reload, and a refusal", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
  await page.getByRole("textbox", { name: "status" }).waitFor();
  await page.route("**/api/note/properties", async (route) => route.abort());
  await page.getByRole("textbox", { name: "status" }).fill("late");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
  await page.getByLabel("Key").fill("created");
  await page.getByLabel("Value").fill("yesterday");
  await page.reload();
  await page.getByRole("alert").filter({ hasText: "does not answer" }).waitFor();
  expect(await page.getByRole("textbox", { name: "status" }).inputValue()).toBe("late");
  await page.unroute("**/api/note/properties");
  await page.reload();
  await expect.poll(() => service.read(PLAN)).toContain("status: late\n");
  await page.getByRole("button", { name: "Add a property" }).click();
  await page.getByRole("alert").filter({ hasText: "belongs to the program" }).waitFor();
  expect(await page.getByLabel("Key").inputValue()).toBe("created");
  expect(await page.getByLabel("Value").inputValue()).toBe("yesterday");
  await page.getByLabel("Key").fill("begun");
  await page.getByRole("button", { name: "Add a property" }).click();
  await expect.poll(() => service.read(PLAN)).toContain("begun: yesterday\n");
  await expect.poll(async () => page.getByLabel("Key").inputValue()).toBe("");
});
