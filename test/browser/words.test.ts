import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";

useChromium();

describe("what the page says", () => {
  it("never what browsers say of a request that failed; and it forgets that when the service is back", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByText("Watching for changes").waitFor();
    await service.stop();
    await page.getByPlaceholder("What happened?").fill("Kept while the service is away");
    await page.getByRole("button", { name: "Send" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("The service does not answer. Start it with coffre serve.").waitFor();
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("main").getByText("The service does not answer.").waitFor();
    expect(await page.locator("body").textContent()).not.toMatch(/failed to fetch|NetworkError/iu);
    await service.start();
    await page.getByText("Watching for changes").waitFor();
    await expect.poll(async () => alert.count(), { timeout: 20_000 }).toBe(0);
    expect(await page.locator("textarea").inputValue()).toBe("Kept while the service is away");
  });

  it("at an address that is none: a page, with ways on", async () => {
    const service = await startService();
    const { page } = await visit(service.link, { locale: "fr-FR" });
    await page.goto(`${service.address}/foo/bar`);
    await page.getByRole("main").getByText("Il n’y a rien à cette adresse.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Vue d’ensemble" }).click();
    await page.getByRole("treeitem").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
  });

  it("of a note that is missing: what it is called, and where to create it", async () => {
    const service = await startService({ files: { "pumps.md": "# Pumps\n" } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/zebra.md`);
    await page.getByText("This file is not in the vault.").waitFor();
    expect(await page.getByRole("main").textContent()).not.toContain("tree(");
    await expect.poll(async () => page.getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(await page.getByRole("main").getByRole("link", { name: "History" }).count()).toBe(1);
    await page.getByRole("button", { name: "Create this note" }).click();
    await page.locator(".cm-content").waitFor();
  });

  it("on the home of notes that coffre did not make: what one can do there, without a request that fails", async () => {
    const service = await startService({
      files: { "garden/oak.md": "# The oak\n", "kitchen/bread.md": "# Bread\n" },
      isForeign: true,
    });
    const { page, complaints } = await visit(service.link);
    await page.getByRole("heading", { name: "Your notes" }).waitFor();
    await page.getByText("It waits in the inbox").waitFor();
    await page.getByRole("main").getByRole("link", { name: "garden" }).click();
    await page.getByRole("link", { name: "oak.md" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("in inbox cards: code as code", async () => {
    const review = "# Review: the `pump.md`\n\n## Question\n\nDoes `pump.md` go to `cellar`?\n";
    const service = await startService({ files: { "inbox/2026-01-31-pump/review.md": review } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/inbox`);
    await page.getByRole("main").locator("code", { hasText: "cellar" }).first().waitFor();
    expect(await page.getByRole("main").textContent()).not.toContain("`");
  });
});
