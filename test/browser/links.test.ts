import { expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const FILES = {
  "garden/oak.md": "---\naliases: [Quercus]\n---\n\n# The oak\n\nIt grows.\n",
  "garden/Node.js.md": "# Node.js\n\nA runtime.\n",
  "garden/trees.md": `# Trees\n\n${"A line.\n\n".repeat(50)}All of them.[^1]\n\n## Old ones\n\nA [[Quercus]] of repute,[^1] [[OAK]], [[Release 1.2]] and [[Node.js]]. ^old\n\n### Names\n\n- ![[oak]]\n\n${"A line.\n\n".repeat(50)}[^1]: Counted in June.\n`,
  "outer.md": "# Outer\n\nMine.[^1]\n\n![[trees#Old ones]]\n\n[^1]: Of the outer note.\n",
  "board.canvas": JSON.stringify({
    nodes: [
      { id: "a", type: "text", x: 0, y: 0, width: 300, height: 120, text: "See [[Quercus]]." },
    ],
    edges: [],
  }),
  "far.md": `# Far\n\n${"Some line of text.\n\n".repeat(60)}[[trees#^old]] and [[trees#Old ones#Names]]\n`,
};

it("links of an embedded note mean what they mean in it, and its footnotes are its own", async () => {
  const service = await startService({ files: FILES });
  const { page, complaints } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/outer.md`);
  const inner = page.locator(".embed .prose").first();
  await inner.locator("a.dead-link", { hasText: "Release 1.2" }).waitFor({ timeout: 20_000 });
  const oak = "/file/vault/garden/oak.md";
  const hrefOf = async (name: string): Promise<string | null> =>
    inner.getByRole("link", { name, exact: true }).first().getAttribute("href");
  expect(await hrefOf("Quercus")).toBe(oak);
  expect(await hrefOf("OAK")).toBe(oak);
  expect(await hrefOf("Node.js")).toBe("/file/vault/garden/Node.js.md");
  await inner.getByText("Counted in June.").waitFor();
  await inner.getByText("It grows.").waitFor();
  expect(await inner.getByText("^old").count()).toBe(0);
  const called = await inner.locator("sup a").first().getAttribute("href");
  expect(await page.locator(`[id="${called?.slice(1)}"]`).textContent()).toContain("Counted");
  expect(
    await page.evaluate(
      "(() => { const ids = [...document.querySelectorAll('main [id]')].map(({ id }) => id); return ids.filter((id, at) => ids.indexOf(id) !== at); })()",
    ),
  ).toEqual([]);
  await inner.locator("a.dead-link", { hasText: "Release 1.2" }).click();
  await page.getByRole("button", { name: "Create this note" }).click();
  await page.locator(".cm-content").waitFor();
  expect(service.names("garden")).toContain("Release 1.2.md");
  expect(await violationsIn(page)).toEqual([]);
  expect(complaints.filter((each) => !each.includes("404"))).toEqual([]);
});

it("links lead to a block, and to a heading below a heading", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  await page.goto(`${service.address}/file/vault/far.md`);
  await page.getByRole("link", { name: "trees#^old" }).click();
  const marked = page.locator(".marked");
  await expect.poll(async () => marked.allTextContents()).toHaveLength(1);
  expect(await marked.textContent()).toContain("of repute");
  await page.goto(`${service.address}/file/vault/far.md`);
  await page.getByRole("link", { name: "trees#Old ones#Names" }).click();
  const names = page.getByRole("heading", { name: "Names" });
  await expect.poll(async () => (await names.boundingBox())?.y ?? Infinity).toBeLessThan(200);
});

it("passages lead where their notes do, and an address where nothing is says what is called so", async () => {
  const service = await startService({ files: FILES });
  const { page } = await visit(service.link);
  await page.getByText(/files indexed/u).waitFor({ timeout: 60_000 });
  await page.goto(`${service.address}/search?q=repute`);
  const quercus = page.locator(".passage").getByRole("link", { name: "Quercus" });
  await expect.poll(async () => quercus.getAttribute("href")).toBe("/file/vault/garden/oak.md");
  await page.goto(`${service.address}/file/vault/board.canvas`);
  await page.locator(".canvas").getByRole("link", { name: "Quercus" }).click();
  await page.getByText("Notes of this name:").waitFor();
  await page.getByRole("main").getByRole("link", { name: "garden/oak.md" }).click();
  await page.getByRole("heading", { name: "The oak" }).waitFor();
  await page.goto(`${service.address}/file/vault/zorglub.md`);
  await page.getByRole("button", { name: "Create this note" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByText("Notes of this name:").count()).toBe(0);
  // Where nothing is, nobody goes to once more.
  await page.keyboard.press("ControlOrMeta+o");
  const dialog = page.getByRole("dialog", { name: "Go to a note" });
  await dialog.getByRole("option", { name: /oak\.md/u }).waitFor();
  expect(await dialog.getByRole("option", { name: /zorglub|Quercus/u }).count()).toBe(0);
});
