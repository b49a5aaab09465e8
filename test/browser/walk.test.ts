import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { ALIAS_NOTES } from "./small-vaults.ts";

useChromium();

it("a link by an alias leads to its note, and the note says who links to it", async () => {
  const service = await startService({
    files: ALIAS_NOTES,
  });
  const { page, complaints } = await visit(service.link);
  await page.getByText("2 files indexed").waitFor();
  await page.goto(`${service.address}/file/vault/diary.md`);
  await page.locator("main .prose").getByRole("link", { name: "Zorglub" }).first().click();
  await page.getByRole("heading", { name: "The oak" }).waitFor();
  await page.getByRole("heading", { name: "Linked from one note" }).waitFor();
  expect(complaints).toEqual([]);
});

it("a picture that is dropped on the editor goes where a pasted one does", async () => {
  const service = await startService({ files: { "projects/loft/plan.md": "# Plan\n\nLast.\n" } });
  const { page } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/projects/loft/plan.md?edit=yes`);
  await page.locator(".cm-line", { hasText: "Last." }).click();
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], "Deck plan.png", { type: "image/png" }));
    const content = document.querySelector(".cm-content");
    const { left, top } = content.getBoundingClientRect();
    content.dispatchEvent(new DragEvent("drop", { dataTransfer, clientX: left + 5, clientY: top + 5, bubbles: true, cancelable: true }));
  })()`);
  await expect
    .poll(() => service.read("projects/loft/plan.md"))
    .toContain("![](bucket/deck-plan.png)");
  expect(service.names("projects/loft/bucket")).toEqual(["deck-plan.png"]);
});

it("what the service refuses is said in the page's language, with what to do", async () => {
  const service = await startService({
    files: { "a.md": "# A\n", "b.md": "# B\n" },
    lang: "fr",
  });
  const { page } = await visit(service.link, { locale: "fr-FR" });
  await page.goto(`${service.address}/file/vault/a.md`);
  await page.getByRole("button", { name: "Déplacer ou renommer" }).click();
  await page.getByLabel("Nouveau chemin").fill("vault/b.md");
  await page.keyboard.press("Enter");
  const said = page.getByRole("alert").first();
  await said.waitFor();
  expect(await said.textContent()).toMatch(/existe déjà/u);
});
