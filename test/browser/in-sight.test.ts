import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { SIZES } from "./picture.ts";
import { startService, type TestService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const LONG = "long.md";
const LINES = Array.from({ length: 300 }, (_, at) => `Line ${at + 1} of the note.`);
const FILES = { [LONG]: `# Long\n\n${LINES.join("\n\n")}` };

/** The cursor at the end of the note, which is in sight then. */
async function writeAtEnd(page: Page, service: TestService): Promise<void> {
  await page.goto(`${service.address}/file/vault/${LONG}?edit=yes`);
  await page.locator(".cm-line", { hasText: "Line 1 of" }).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.locator(".cm-line", { hasText: "Line 300" }).waitFor();
}

async function isInSight(page: Page, text: RegExp): Promise<boolean> {
  const box = await page.getByRole("status").filter({ hasText: text }).boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

it.each(Object.entries(SIZES))(
  "a conflict is in sight at the end of a long note, and so is what both wrote (%s)",
  async (_, viewport) => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link, { viewport });
    await writeAtEnd(page, service);
    await page.route("**/api/note", async (route) => route.abort());
    await page.keyboard.type(" Mine.");
    await expect.poll(async () => isInSight(page, /does not answer/u)).toBe(true);
    service.write(LONG, service.read(LONG).replace("Line 300 of the note.", "$& Theirs."));
    await page.unroute("**/api/note");
    await expect
      .poll(async () => isInSight(page, /changed the same lines/u), { timeout: 30_000 })
      .toBe(true);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole("button", { name: "Show both" }).click();
    const panel = page.getByRole("region", { name: /changed the same lines/u });
    const [line, shown] = [
      await page.getByRole("button", { name: "Done" }).boundingBox(),
      await panel.boundingBox(),
    ];
    // Below the line that stays, and not behind it.
    expect(shown?.y).toBeGreaterThan((line?.y ?? Infinity) + (line?.height ?? 0));
    await panel.getByRole("button", { name: "Keep both" }).click();
    await expect
      .poll(() => service.read(LONG))
      .toContain("Line 300 of the note. Mine.\nLine 300 of the note. Theirs.");
  },
);

it("a note that is deleted while one writes it is made again from wherever one is", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  await writeAtEnd(page, service);
  await page.route("**/api/note", async (route) => route.abort());
  await page.keyboard.type(" Mine.");
  await expect.poll(async () => isInSight(page, /does not answer/u)).toBe(true);
  service.remove(LONG);
  await page.unroute("**/api/note");
  await expect.poll(async () => isInSight(page, /no longer in the vault/u)).toBe(true);
  await page.keyboard.press("ControlOrMeta+s");
  await page.keyboard.type(" More.");
  await page.getByRole("button", { name: "Create it again" }).click();
  await expect.poll(() => service.names("").includes(LONG)).toBe(true);
  expect(service.read(LONG)).toContain("Line 300 of the note. Mine. More.");
});
