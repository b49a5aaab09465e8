import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService, type TestService } from "./service.ts";

useChromium();

const PLAN = "projects/loft/plan.md";
const FILES = { [PLAN]: "# Plan\n\nFirst line.\n\nLast line.\n", "rope.md": "# Rope\n" };

/** Writes at the end of a line, without a service that takes it. */
async function write(page: Page, service: TestService, text: string): Promise<void> {
  await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
  await page.locator(".cm-line", { hasText: "First line." }).click();
  await service.stop();
  await page.keyboard.press("End");
  await page.keyboard.type(text);
  await page.getByText("The service does not answer. What you write").waitFor();
}

async function openAnother(page: Page): Promise<void> {
  await page.getByRole("treeitem", { name: /rope\.md/u }).click();
  await page.locator(".cm-content").waitFor({ state: "detached" });
}

describe("what was written while the service was away, and left", () => {
  it("is saved when it is back", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await write(page, service, " Unsent.");
    await openAnother(page);
    await service.start();
    await page.getByText("What you wrote before is saved now: plan.md.").waitFor();
    expect(service.read(PLAN)).toContain("First line. Unsent.\n");
  });

  it("is shown to the person where it does not go together with what is there, and can be made again", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await write(page, service, " Unsent.");
    await openAnother(page);
    service.remove(PLAN);
    await service.start();
    await page.getByText("What you wrote in plan.md is not saved yet.").waitFor();
    await page.getByRole("status").getByRole("button", { name: "Open" }).click();
    await page.locator(".cm-line", { hasText: "First line. Unsent." }).waitFor();
    await page.getByRole("button", { name: "Create it again" }).click();
    await expect.poll(() => service.names("projects/loft")).toContain("plan.md");
    expect(service.read(PLAN)).toContain("First line. Unsent.\n");
  });

  it("is saved by another tab when its own was closed", async () => {
    const service = await startService({ files: FILES });
    const { page, context } = await visit(service.link);
    const closed = await context.newPage();
    await write(closed, service, " Unsent.");
    await closed.close();
    await service.start();
    await page.getByText("What you wrote before is saved now: plan.md.").waitFor();
    expect(service.read(PLAN)).toContain("First line. Unsent.\n");
  });

  it("is said not to be kept where the browser has no room for it", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await page.evaluate(`for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; ; at += 1) {
        try { localStorage.setItem("fill " + size + " " + at, "x".repeat(size)); } catch { break; }
      }
    }`);
    await write(page, service, " Unsent.");
    await page.getByText("This browser has no room left").waitFor();
    await service.start();
    await expect.poll(() => service.read(PLAN)).toContain("First line. Unsent.\n");
    await page.getByText("This browser has no room left").waitFor({ state: "detached" });
  });
});
