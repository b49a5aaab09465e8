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

/** A picture is dragged from outside onto the end of a line that is written: what a browser tells the page of it. */
const drag = (...events: readonly string[]): string => `(() => {
  const bytes = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], "Deck plan.png", { type: "image/png" }));
  const line = [...document.querySelectorAll(".cm-line")].find((each) => each.textContent.startsWith("Last."));
  const { right, bottom } = line.getBoundingClientRect();
  for (const kind of ${JSON.stringify(events)})
    line.dispatchEvent(new DragEvent(kind, { dataTransfer, clientX: right - 2, clientY: bottom - 4, bubbles: true, cancelable: true }));
})()`;

const PLAN = "projects/loft/plan.md";

it("a picture that is dropped on the editor goes where a pasted one does, and the sign to drop it goes", async () => {
  const service = await startService({ files: { [PLAN]: "# Plan\n\nLast.\n" } });
  const { page } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
  await page.locator(".cm-line", { hasText: "Last." }).click();
  await page.evaluate(drag("dragenter", "dragover"));
  const sign = page.getByText("Drop files to attach them");
  await sign.waitFor();
  await page.evaluate(drag("drop"));
  await sign.waitFor({ state: "detached" });
  await expect.poll(() => service.read(PLAN)).toContain("Last.![](bucket/deck-plan.png)");
  expect(service.names("projects/loft/bucket")).toEqual(["deck-plan.png"]);
});

it("a picture that takes long goes where it was dropped, whatever was written meanwhile, and also after Done", async () => {
  const service = await startService({ files: { [PLAN]: "First.\n\nLast.\n" } });
  const { page, complaints } = await visit(service.link);
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked = gates.map(() => Promise.withResolvers<void>());
  let count = 0;
  await page.route("**/api/note/attachment*", async (route) => {
    const at = count++;
    asked[at]?.resolve();
    await gates[at]?.promise;
    await route.continue();
  });
  await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
  await page.locator(".cm-line", { hasText: "First." }).click();
  await page.evaluate(drag("dragenter", "dragover", "drop"));
  await asked[0]?.promise;
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("Before. ");
  gates[0]?.resolve();
  await expect.poll(() => service.read(PLAN)).toContain("Last.![](bucket/deck-plan.png)\n");
  expect(service.read(PLAN)).toContain("Before. ");
  await page.evaluate(drag("dragenter", "dragover", "drop"));
  await asked[1]?.promise;
  await page.getByRole("button", { name: "Done" }).click();
  await page.locator(".cm-content").waitFor({ state: "detached" });
  gates[1]?.resolve();
  await expect
    .poll(() => service.read(PLAN))
    .toContain("deck-plan.png)![](bucket/deck-plan-2.png)\n");
  expect(complaints).toEqual([]);
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
