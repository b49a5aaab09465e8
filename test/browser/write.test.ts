import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService, type TestService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const FILES = {
  "projects/loft/plan.md":
    "# Plan\n\nFirst line.\n\nMiddle line.\n\nLast line.\n\n- [ ] Buy rope\n",
  "projects/loft/notes.md":
    "# Notes\n\nAs the [[plan]] says, and [here](plan.md).\n\nSee [[nowhere]].\n",
  "overview.md": "# Overview\n\n[[projects/loft/plan|The plan]]\n",
  "rope.md": "# Rope\n\nFor the [[plan]]. #rigging\n",
};

async function edit(service: TestService, page: Page, file: string): Promise<void> {
  await page.goto(`${service.address}/file/vault/${file}?edit=yes`);
  await page.locator(".cm-content").waitFor();
}

/** Puts the cursor behind a text. */
async function after(page: Page, text: string): Promise<void> {
  await page.locator(".cm-line", { hasText: text }).click();
  await page.keyboard.press("End");
}

/** Waits until the list of completions takes keys: for 75 ms after it opened, nobody accepts by Enter what just appeared. */
async function offered(page: Page, name: string): Promise<void> {
  await page.getByRole("option", { name, selected: true }).waitFor();
  await page.waitForTimeout(150);
}

async function saved(page: Page): Promise<void> {
  await page.getByText("Saved", { exact: true }).waitFor({ timeout: 20_000 });
}

describe("a note is written in the page", () => {
  it("with markdown keys and completion", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/projects/loft/plan.md`);
    await page.getByRole("button", { name: "Edit" }).click();
    await after(page, "First line.");
    await page.keyboard.type(" And ");
    await page.keyboard.press("ControlOrMeta+b");
    await page.keyboard.type("bold");
    await page.keyboard.press("ControlOrMeta+b");
    await page.keyboard.type(" and [[no");
    await offered(page, "notes");
    await page.keyboard.type("t");
    await page.keyboard.press("Enter");
    await after(page, "- [ ] Buy rope");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Splice it #ri");
    await offered(page, "rigging");
    await page.keyboard.type("g");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ControlOrMeta+s");
    await saved(page);
    const text = service.read("projects/loft/plan.md");
    expect(text).toContain("First line. And **bold** and [[notes]]\n");
    expect(text).toContain("- [ ] Buy rope\n- [ ] Splice it #rigging\n");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("heading", { name: "Plan", exact: true }).waitFor();
    expect(await page.locator(".cm-content").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("two pages and a program at once: all of it is there", async () => {
    const service = await startService({ files: FILES });
    const [one, two] = [await visit(service.link), await visit(await service.newLink())];
    await edit(service, one.page, "projects/loft/plan.md");
    await edit(service, two.page, "projects/loft/plan.md");
    await after(one.page, "First line.");
    await after(two.page, "Last line.");
    await Promise.all([
      one.page.keyboard.type(" From one page.", { delay: 20 }),
      two.page.keyboard.type(" From the other page.", { delay: 20 }),
    ]);
    service.write(
      "projects/loft/plan.md",
      service.read("projects/loft/plan.md").replace("Middle line.", "Middle line, by a program."),
    );
    const whole = [
      "First line. From one page.",
      "Middle line, by a program.",
      "Last line. From the other page.",
    ];
    for (const part of whole)
      await expect
        .poll(() => service.read("projects/loft/plan.md"), { timeout: 30_000 })
        .toContain(part);
    for (const { page } of [one, two])
      for (const part of whole) await page.locator(".cm-line", { hasText: part }).waitFor();
  });

  it("the same line in two pages: both are shown, nothing is overwritten, and both can be kept", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await edit(service, page, "projects/loft/plan.md");
    await service.stop();
    await after(page, "Middle line.");
    await page.keyboard.type(" Mine.");
    await page.getByText("The service does not answer. What you write").waitFor();
    service.write(
      "projects/loft/plan.md",
      service.read("projects/loft/plan.md").replace("Middle line.", "Middle line. Theirs."),
    );
    await service.start();
    const panel = page.getByRole("region", { name: /changed the same lines/u });
    await panel.waitFor({ timeout: 30_000 });
    await panel.getByText("Middle line. Mine.").waitFor();
    await panel.getByText("Middle line. Theirs.").waitFor();
    expect(service.read("projects/loft/plan.md")).not.toContain("Mine.");
    expect(await violationsIn(page)).toEqual([]);
    await panel.getByRole("button", { name: "Keep both" }).click();
    await saved(page);
    expect(service.read("projects/loft/plan.md")).toContain(
      "Middle line. Mine.\nMiddle line. Theirs.\n",
    );
  });

  it("no keystroke is lost when the service is killed in the middle of saves, and the page reloaded", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await edit(service, page, "projects/loft/plan.md");
    await after(page, "Middle line.");
    const words = Array.from({ length: 60 }, (_, at) => ` word${at}`);
    const typed = words.join("");
    await page.keyboard.type(words.slice(0, 10).join(""));
    await expect
      .poll(() => service.read("projects/loft/plan.md"), { timeout: 20_000, interval: 5 })
      .toContain("word9");
    // A note is saved when nobody types for a moment: what is typed now is not, when the service goes.
    const typing = page.keyboard.type(words.slice(10).join(""), { delay: 25 });
    await service.kill();
    await typing;
    await page.getByText("The service does not answer. What you write").waitFor();
    await service.start();
    await page.reload();
    await saved(page);
    expect(service.read("projects/loft/plan.md")).toContain(`Middle line.${typed}\n`);
  });

  it("keeps a draft through a reload while the service is away", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await edit(service, page, "projects/loft/plan.md");
    await page.route("**/api/note", async (route) => route.abort());
    await after(page, "First line.");
    await page.keyboard.type(" Unsent.");
    await page.getByText("The service does not answer. What you write").waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "First line. Unsent." }).waitFor();
    await page.unroute("**/api/note");
    await saved(page);
    expect(service.read("projects/loft/plan.md")).toContain("First line. Unsent.");
  });

  it("takes a picture that is pasted into the project's bucket", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await edit(service, page, "projects/loft/plan.md");
    await after(page, "Last line.");
    await page.evaluate(`(() => {
      const bytes = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "Deck plan.png", { type: "image/png" }));
      document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await page.locator(".cm-line", { hasText: "bucket/deck-plan.png" }).waitFor();
    await saved(page);
    expect(service.names("projects/loft/bucket")).toEqual(["deck-plan.png"]);
    expect(service.read("projects/loft/plan.md")).toContain("Last line.![](bucket/deck-plan.png)");
  });

  it("takes the text of an office program, and not its picture", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await edit(service, page, "projects/loft/plan.md");
    await after(page, "Last line.");
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData("text/plain", " From a table.");
      data.items.add(new File([new Uint8Array([137, 80, 78, 71])], "image.png", { type: "image/png" }));
      document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await page.locator(".cm-line", { hasText: "Last line. From a table." }).waitFor();
    await saved(page);
    expect(service.names("projects/loft")).not.toContain("bucket");
  });
});

describe("files are managed in the page", () => {
  it("a note is created by its dead link, renamed with its links, deleted, and brought back", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/projects/loft/notes.md`);
    const dead = page.locator("a.dead-link", { hasText: "nowhere" });
    await dead.waitFor();
    expect(await page.locator("a.dead-link").count()).toBe(1);
    await dead.click();
    await page.getByRole("button", { name: "Create this note" }).click();
    await page.locator(".cm-content").waitFor();
    expect(service.read("projects/loft/nowhere.md")).toContain("# nowhere");
    await page.getByRole("button", { name: "Done" }).click();

    await page.goto(`${service.address}/file/vault/projects/loft/plan.md`);
    await page.getByRole("heading", { name: "Linked from 2 notes" }).waitFor();
    await page.getByRole("button", { name: "Move or rename" }).click();
    await page.getByLabel("New path").fill("vault/projects/loft/2026/rigging plan.md");
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await page.getByText("4 links rewritten").waitFor();
    expect(service.read("projects/loft/notes.md")).toContain(
      "As the [[rigging plan]] says, and [here](2026/rigging%20plan.md).",
    );
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(() => service.read("projects/loft/notes.md"))
      .toContain("As the [[plan]] says, and [here](plan.md).");

    await page.goto(`${service.address}/file/vault/projects/loft/plan.md`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("plan.md was deleted.").waitFor();
    expect(service.names("projects/loft")).not.toContain("plan.md");
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "Plan", exact: true }).waitFor();
    expect(service.names("projects/loft")).toContain("plan.md");
    expect(complaints.filter((each) => !each.includes("404"))).toEqual([]);
  });

  it("a task is ticked, a property is set, and a note is made in a folder", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/projects/loft/plan.md`);
    const task = page.locator(".prose").getByRole("checkbox");
    await task.click();
    await expect.poll(() => service.read("projects/loft/plan.md")).toContain("- [x] Buy rope");
    await expect.poll(async () => task.isChecked()).toBe(true);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByText("Properties", { exact: true }).click();
    await page.getByLabel("Key").fill("status");
    await page.getByLabel("Value").fill("afloat");
    await page.getByRole("button", { name: "Add a property" }).click();
    await expect.poll(() => service.read("projects/loft/plan.md")).toContain("status: afloat");
    await page.getByRole("textbox", { name: "status" }).fill("moored");
    await page.keyboard.press("Enter");
    await expect.poll(() => service.read("projects/loft/plan.md")).toContain("status: moored");
    expect(await violationsIn(page)).toEqual([]);
    await page.goto(`${service.address}/folder/vault/projects/loft/`);
    await page.getByRole("button", { name: "New note" }).click();
    await page.getByLabel("Name of the new note").fill("Sails");
    await page.keyboard.press("Enter");
    await page.locator(".cm-content").waitFor();
    expect(service.read("projects/loft/Sails.md")).toContain("# Sails");
  });
});

const ACT = "window.hacked=1";

it("what others wrote does nothing in the editor, its properties and its links", async () => {
  const evil = `<img src=x onerror="${ACT}"> <script>${ACT}</script> [a](javascript:${ACT}) [[x" onmouseover="${ACT}]] <style>body{display:none}</style>`;
  const service = await startService({
    files: {
      "evil.md": `---\ntitle: "<img src=x onerror=${ACT}>"\n"on<b>": javascript:${ACT}\n---\n\n${evil}\n\n#<b>tag\n`,
      "to.md": `${evil} [[evil]]\n`,
      [`<img src=x onerror=${ACT.replaceAll(".", "")}>.md`]: "# n\n\n[[evil]]\n",
    },
  });
  const { page, complaints } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/evil.md`);
  await page.getByRole("heading", { name: /Linked from/u }).waitFor();
  await page.getByText("Notes around this one").first().click();
  await edit(service, page, "evil.md");
  await after(page, "tag");
  await page.keyboard.type(" [[");
  await page.getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  expect(await page.evaluate("window.hacked")).toBeUndefined();
  expect(await page.locator("main script, main iframe, main img[src=x]").count()).toBe(0);
  expect(complaints.filter((each) => /Content Security|hacked/u.test(each))).toEqual([]);
});
