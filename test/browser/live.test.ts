import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";

useChromium();

const LONG = Array.from({ length: 120 }, (_, at) => `Paragraph ${at}, about nothing.`);

describe("the live page", () => {
  it("shows a file that is made on disk, its new size, and that it is gone, without a reload", async () => {
    const service = await startService();
    const { page, complaints } = await visit(service.link);
    const tree = page.getByRole("tree");
    await tree.getByRole("treeitem", { name: /tasks\.md/u }).waitFor();
    service.write("zebra.md", "# Zebra\n\nA striped note.\n");
    const line = tree.getByRole("treeitem", { name: /zebra\.md/u });
    await line.waitFor();
    const before = await line.textContent();
    service.write("zebra.md", `# Zebra\n\n${"A striped note. ".repeat(100)}\n`);
    await expect.poll(async () => line.textContent(), { timeout: 20_000 }).not.toBe(before);
    service.remove("zebra.md");
    await line.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("unfolds folders, highlights the open file, and follows it into a folder", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    const item = (name: RegExp): ReturnType<typeof page.getByRole> =>
      page.getByRole("treeitem", { name });
    await item(/sail-loft/u).waitFor();
    expect(await item(/description\.md/u).count()).toBe(0);
    await item(/sail-loft/u).click();
    await item(/description\.md/u).click();
    await page.getByRole("heading", { name: "The sail loft" }).waitFor();
    expect(await item(/description\.md/u).getAttribute("aria-selected")).toBe("true");
    await page.goto(
      `${service.address}/file/vault/projects/istanbul-by-train/bucket/packing-list.md`,
    );
    await item(/packing-list\.md/u).waitFor();
  });

  it("re-renders the open file where it is read", async () => {
    const service = await startService({ files: { "long.md": LONG.join("\n\n") } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/long.md`);
    const read = page.getByText("Paragraph 60, about nothing.");
    await read.waitFor();
    await read.scrollIntoViewIfNeeded();
    const before = await read.boundingBox();
    expect(await page.evaluate("document.querySelector('main').scrollTop")).toBeGreaterThan(1000);
    const text = service.read("long.md");
    service.write(
      "long.md",
      text
        .replace("Paragraph 3,", "Five\n\nmore\n\nparagraphs\n\nhere\n\nnow\n\nParagraph 3,")
        .replace("Paragraph 62, about nothing.", "Paragraph 62, about the sea."),
    );
    await page.getByText("Paragraph 62, about the sea.").waitFor();
    const after = await read.boundingBox();
    expect(Math.abs((after?.y ?? 0) - (before?.y ?? 1000))).toBeLessThan(3);
  });

  it("goes to the lines that a link names, and shows line numbers when they are wanted", async () => {
    const service = await startService({ files: { "long.md": LONG.join("\n\n") } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/long.md`);
    await page.getByText("Paragraph 0, about nothing.").waitFor();
    // The service put five lines of frontmatter before the text.
    await expect.poll(() => service.read("long.md")).toContain("tokens:");
    const line =
      service
        .read("long.md")
        .split("\n")
        .findIndex((text) => text.startsWith("Paragraph 80,")) + 1;
    await page.goto(`${service.address}/file/vault/long.md#L${line}-${line + 2}`);
    await page.reload();
    const marked = page.locator(".marked");
    await expect.poll(async () => marked.allTextContents()).toEqual(LONG.slice(80, 82));
    await expect
      .poll(async () => (await marked.first().boundingBox())?.y ?? -1)
      .toBeGreaterThan(50);
    expect((await marked.first().boundingBox())?.y).toBeLessThan(700);
    // Another place in the same file, by a link in it.
    await page.goto(`${service.address}/file/vault/long.md#L${line - 40}`);
    await expect.poll(async () => marked.allTextContents()).toEqual([LONG[60]]);
    await expect.poll(async () => (await marked.boundingBox())?.y ?? -1).toBeGreaterThan(50);
    await page.goBack();
    await expect.poll(async () => marked.allTextContents()).toEqual(LONG.slice(80, 82));
    await page.getByRole("button", { name: "Line numbers" }).click();
    await page.locator("[data-marked]", { hasText: "Paragraph 80," }).waitFor();
    expect(await page.locator("[data-marked]").first().textContent()).toContain(String(line));
  });

  it("comes back to a note where it was left", async () => {
    const service = await startService({
      files: { "long.md": LONG.join("\n\n"), "other.md": "# Other\n" },
    });
    const { page } = await visit(service.link);
    await page.getByRole("treeitem", { name: /long\.md/u }).click();
    const read = page.getByText("Paragraph 60, about nothing.");
    await read.scrollIntoViewIfNeeded();
    const scrolled = async (): Promise<unknown> =>
      page.evaluate("Math.round(document.querySelector('main').scrollTop)");
    const before = await scrolled();
    await expect
      .poll(async () => page.evaluate("Math.round(history.state?.scroll ?? 0)"))
      .toBe(before);
    await page.getByRole("treeitem", { name: /other\.md/u }).click();
    await page.getByRole("heading", { name: "Other" }).waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await read.waitFor();
    await expect.poll(scrolled).toBe(before);
  });

  it("finds files by letters of their paths", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByPlaceholder("Filter files…").fill("slstate");
    await page.getByRole("link", { name: "projects/sail-loft/state.md" }).click();
    await expect.poll(() => page.url()).toContain("/file/vault/projects/sail-loft/state.md");
  });

  it("says that the service is away, and goes on by itself when it is back", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByText("Watching for changes").waitFor();
    await service.stop();
    await page.getByText("The service does not answer.").waitFor();
    service.write("meanwhile.md", "# Written while nobody looked\n");
    await service.start();
    await page.getByRole("treeitem", { name: /meanwhile\.md/u }).waitFor({ timeout: 30_000 });
    await page.getByText("The service does not answer.").waitFor({ state: "detached" });
    service.write("after.md", "# And it listens again\n");
    await page.getByRole("treeitem", { name: /after\.md/u }).waitFor();
    expect(await page.title()).toBe("Overview · coffre");
  });

  it("shows recent changes as readable differences, and undoes them", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.evaluate(
      `fetch("/api/tools/append", { method: "POST", body: JSON.stringify({ path: "tasks.md", content: "# Buy string", position: "bottom" }) })`,
    );
    await page.getByRole("link", { name: "History" }).click();
    const entry = page.getByRole("listitem").filter({ hasText: "changed vault/tasks.md" }).first();
    await entry.getByRole("button", { name: "Show the change" }).click();
    await page.getByRole("row", { name: /# Buy string/u }).waitFor();
    await entry.getByRole("button", { name: "Undo" }).click();
    await expect
      .poll(() => service.read("tasks.md"), { timeout: 20_000 })
      .not.toContain("Buy string");
    await page.getByText("undoes a change").waitFor();
  });

  it("lists a folder", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/folder/vault/projects/sail-loft/bucket/`);
    await page.getByRole("link", { name: "floor-plan.png" }).click();
    await page.getByRole("img", { name: /floor-plan/u }).waitFor();
    await expect
      .poll(async () => page.evaluate("document.querySelector('main img').naturalWidth"))
      .toBe(640);
  });
});
