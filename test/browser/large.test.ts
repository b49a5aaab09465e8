import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { stampFrontmatter } from "../../src/vault/files/frontmatter.ts";
import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";

useChromium();

const WEB = path.join(import.meta.dirname, "..", "..", "dist", "web");

const PATHS = Array.from({ length: 9999 }, (_, at) =>
  at % 2 === 0 ? `bucket/note-${at}.md` : `projects/p${at % 100}/bucket/note-${at}.md`,
);

/** With its frontmatter right already, so that the service has nothing to write. */
function note(title: string): string {
  const dates = "created: 2026-01-02T03:04:05\nupdated: 2026-01-02T03:04:05";
  const stamped = stampFrontmatter(`---\n${dates}\n---\n\n# ${title}\n\nSome words.\n`, {});
  if (stamped.kind === "left") throw new Error(stamped.problem);
  return stamped.text;
}

const FILES = Object.fromEntries(["overview.md", ...PATHS].map((file) => [file, note(file)]));

const Numbers = z.array(z.number());
const Paint = z.object({ paint: z.number(), shown: z.number() });
type Paint = z.infer<typeof Paint>;

/** Milliseconds from asking for the page to its first paint, and until the tree came: the best of some visits, since the machine may be busy. */
async function paintAgain(page: Page): Promise<Paint> {
  const visits: Paint[] = [];
  for (let at = 0; at < 5; at += 1) {
    await page.reload();
    await page.getByRole("treeitem").first().waitFor();
    await page.waitForFunction(`performance.getEntriesByName("first-contentful-paint").length > 0`);
    visits.push(
      Paint.parse(
        await page.evaluate(`({
          paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
          shown: Math.max(...performance.getEntriesByType("resource")
            .filter(({ name }) => /\\/api\\/(?:tree|file\\?)/.test(name))
            .map(({ responseEnd }) => responseEnd)),
        })`),
      ),
    );
  }
  return {
    paint: Math.min(...visits.map((each) => each.paint)),
    shown: Math.min(...visits.map((each) => each.shown)),
  };
}

/** Starts to collect tasks of over 50 ms; what it returns gives them. */
async function watchTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(`{
    window.tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: "longtask" });
  }`);
  return async () => Numbers.parse(await page.evaluate("tasks.splice(0)"));
}

const longest = (tasks: readonly number[]): string =>
  tasks.length === 0 ? "none over 50 ms" : `longest ${Math.round(Math.max(...tasks))} ms`;

/** Bytes that came over the wire, by address. */
async function watchBytes(page: Page): Promise<Map<string, number>> {
  const session = await page.context().newCDPSession(page);
  const urls = new Map<string, string>();
  const bytes = new Map<string, number>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) =>
    urls.set(requestId, request.url),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const { pathname, search } = new URL(urls.get(requestId) ?? "http://none/");
    bytes.set(pathname + search, encodedDataLength);
  });
  await session.send("Network.enable");
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  return bytes;
}

describe("a vault of 10,000 files", () => {
  it("is painted about as soon as an empty one, and its lists stay short in the document", async () => {
    const empty = await startService({ files: { "overview.md": note("overview.md") } });
    const before = await paintAgain((await visit(empty.link)).page);
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    await page.getByText(/9,999 files indexed/u).waitFor({ timeout: 150_000 });
    const { paint, shown } = await paintAgain(page);
    console.log(
      `first paint ${Math.round(paint)} ms (empty vault ${Math.round(before.paint)}: ${(paint / before.paint).toFixed(2)}x); tree and overview ${Math.round(shown)} ms (${Math.round(before.shown)})`,
    );

    await page.getByRole("tree").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("treeitem", { name: /note-0\.md/u }).waitFor();
    const frames = Numbers.parse(
      await page.evaluate(`(async () => {
        const tree = document.querySelector("[role=tree]");
        const times = [];
        let last = performance.now();
        for (let frame = 0; frame < 60; frame += 1) {
          tree.scrollTop += 900;
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          times.push(now - last);
          last = now;
        }
        return times;
      })()`),
    );
    const median = frames.toSorted((a, b) => a - b)[30] ?? Infinity;
    console.log(`a frame while scrolling the tree: median ${median.toFixed(1)} ms`);
    expect(await page.getByRole("treeitem").count()).toBeLessThan(100);

    const tasks = await watchTasks(page);
    const filter = page.getByPlaceholder("Filter files…");
    await filter.pressSequentially("note9998", { delay: 60 });
    await page.getByRole("link", { name: "bucket/note-9998.md" }).waitFor();
    console.log(`filtering 10,000 files, key by key: ${longest(await tasks())}`);
    await filter.fill("");

    await page.goto(`${service.address}/folder/vault/bucket/`);
    await page.getByRole("link", { name: "note-0.md" }).waitFor();
    const inFolder = await watchTasks(page);
    await page.evaluate("document.querySelector('main').scrollTop = 90_000");
    await expect.poll(async () => page.locator("main tbody tr").count()).toBeLessThan(80);
    await expect
      .poll(async () =>
        page.locator("main tr[aria-rowindex]").first().getAttribute("aria-rowindex"),
      )
      .toMatch(/^2\d\d\d$/u);
    expect(await page.locator("main table").getAttribute("aria-rowcount")).toBe("5001");
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("some words", { delay: 60 });
    await page.locator("main mark").first().waitFor();
    console.log(
      `a folder of 5,000 entries, scrolled, and search typed from there: ${longest(await inFolder())}`,
    );
  }, 300_000);

  it("sends its file list in pieces, compressed, and after a reload only what changed", async () => {
    const service = await startService({ files: FILES });
    const { page: first, context } = await visit(service.link);
    await first.getByText(/9,999 files indexed/u).waitFor({ timeout: 150_000 });
    // Another tab knows nothing yet.
    const page = await context.newPage();
    const bytes = await watchBytes(page);
    await page.goto(service.address);
    const lists = (): number[] =>
      [...bytes].filter(([url]) => url.startsWith("/api/files")).map(([, size]) => size);
    // The last asks for what changed while the others came.
    await expect
      .poll(() => [...bytes.keys()].some((url) => url.includes("since=")), { timeout: 20_000 })
      .toBe(true);
    expect(lists().length).toBeGreaterThan(5);
    const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
    const whole = sum(lists());
    console.log(`the list of 10,000 files: ${(whole / 1000).toFixed(0)} kB as sent`);
    expect(whole).toBeLessThan(200_000);
    bytes.clear();
    await page.reload();
    await expect.poll(() => lists().length, { timeout: 20_000 }).toBe(1);
    console.log(`the same after a reload: ${sum(lists())} bytes`);
    expect(sum(lists())).toBeLessThan(1000);
  }, 200_000);
});

describe("a folder of 3,000 entries", () => {
  it("is opened, and left for a search", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 3000 }, (_, at) => [`web/entry-${at}.md`, note(`Entry ${at}`)]),
    );
    const service = await startService({ files });
    const { page } = await visit(service.link);
    await page.getByText(/3,000 files indexed/u).waitFor({ timeout: 150_000 });
    const tasks = await watchTasks(page);
    await page.getByRole("treeitem", { name: /web/u }).click();
    await page.getByRole("link", { name: "entry-0.md" }).waitFor();
    console.log(`a folder of 3,000 entries, opened: ${longest(await tasks())}`);
    const nodes = z.number().parse(await page.evaluate("document.querySelectorAll('*').length"));
    console.log(`the document has ${nodes} elements`);
    expect(nodes).toBeLessThan(2500);

    await page.evaluate(`{
      const { fetch } = window;
      window.service = [];
      window.fetch = async (...given) => {
        if (!String(given[0]).startsWith("/api/tools/search")) return fetch(...given);
        const start = performance.now();
        const response = await fetch(...given);
        const copy = response.clone();
        await copy.text();
        window.service.push({ start, end: performance.now() });
        return response;
      };
    }`);
    await page.evaluate(`{
      window.addEventListener("keydown", () => (window.key = performance.now()));
      new MutationObserver(() => {
        const isShown = [...document.querySelectorAll("main a")].some((each) => each.textContent === "Entry 2999");
        if (isShown) window.shown ??= performance.now();
      }).observe(document.querySelector("main"), { childList: true, subtree: true });
    }`);
    await page.keyboard.press("ControlOrMeta+k");
    const typed = await watchTasks(page);
    await page.keyboard.type("2999", { delay: 70 });
    await page.getByRole("heading", { name: "Entry 2999" }).first().waitFor();
    const { whole, own } = z.object({ whole: z.number(), own: z.number() }).parse(
      // One search runs at a time, so the service may still be busy with the letters before the last.
      await page.evaluate(`({
        whole: shown - key,
        own: window.service.reduce(
          (sum, { start, end }) => sum + Math.max(0, Math.min(end, shown) - Math.max(start, key)), 0),
      })`),
    );
    console.log(
      `search as one types: from the last key to the first results ${Math.round(whole)} ms, of which the service took ${Math.round(own)} ms, the page ${Math.round(whole - own)} ms; tasks: ${longest(await typed())}`,
    );
  }, 200_000);
});

describe("a note of 100,000 tokens", () => {
  const section = (at: number): string =>
    `## Section ${at}\n\nSome **words** of [a link](b.md) and \`code\`, ${"again and again ".repeat(12)}.\n\n- one\n- two\n`;
  const text = Array.from({ length: 1500 }, (_, at) => section(at)).join("\n");
  const files = { "long.md": `# Long\n\n${text}`, "b.md": "b\n" };

  it("is shown in pieces, and gone to by its lines and headings", async () => {
    expect(text.length).toBeGreaterThan(390_000);
    const service = await startService({ files });
    const { page } = await visit(service.link);
    await page.getByRole("treeitem", { name: /long\.md/u }).waitFor();
    const tasks = await watchTasks(page);
    await page.getByRole("treeitem", { name: /long\.md/u }).click();
    await page.getByRole("heading", { name: "Section 1", exact: true }).waitFor();
    console.log(`a note of 100,000 tokens, opened: ${longest(await tasks())}`);
    await page.keyboard.press("ControlOrMeta+k");
    await page.goto(`${service.address}/file/vault/long.md#section-1200`);
    await expect
      .poll(async () =>
        page.evaluate(
          "Math.abs(document.querySelector('#h-section-1200')?.getBoundingClientRect().top ?? 9999)",
        ),
      )
      .toBeLessThan(700);
    const line = text.split("\n").indexOf("## Section 700") + 1;
    await page.goto("about:blank");
    await page.goto(`${service.address}/file/vault/long.md#L${line + 8}`);
    await page.locator(".marked").first().waitFor();
    // All of it is there after a while, for the browser's own search.
    await expect
      .poll(async () => page.getByRole("heading", { name: "Section 1499" }).count(), {
        timeout: 60_000,
      })
      .toBe(1);
  }, 120_000);
});

describe("writing in a note of 100,000 tokens", () => {
  it("saves what is typed at its beginning and its end, and takes in what a program writes", async () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => `- line ${at}`).join("\n");
    const service = await startService({ files: { "long.md": `# Long\n\nFirst.\n\n${lines}\n` } });
    const { page, complaints } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/long.md`);
    await page.getByRole("button", { name: "Edit" }).waitFor();
    const tasks = await watchTasks(page);
    await page.getByPlaceholder("What happened?").pressSequentially("Beside it", { delay: 60 });
    console.log(
      `a note of 100,000 tokens, typing in the input beside it: ${longest(await tasks())}`,
    );
    await page.getByRole("button", { name: "Edit" }).click();
    await page.locator(".cm-line", { hasText: "First." }).click();
    await page.keyboard.press("End");
    await tasks();
    await page.keyboard.type(" At the beginning, key by key.", { delay: 60 });
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("And at the end.", { delay: 60 });
    console.log(`the same, typing in it: ${longest(await tasks())}`);
    const saved = async (part: string): Promise<void> => {
      await expect.poll(() => service.read("long.md"), { timeout: 60_000 }).toContain(part);
    };
    await saved("First. At the beginning, key by key.\n");
    await saved("- line 29999\nAnd at the end.");
    service.write("long.md", service.read("long.md").replace("- line 777\n", "- by a program\n"));
    await page.keyboard.type(" And on.", { delay: 60 });
    await saved("And at the end. And on.");
    expect(service.read("long.md")).toContain("- line 776\n- by a program\n- line 778\n");
    // A save that came after the program's is refused, merged and sent again.
    expect(complaints.filter((text) => !text.includes("409"))).toEqual([]);
  }, 150_000);
});

describe("the page's own files", () => {
  it.each([
    ["English", "en-GB"],
    ["French", "fr-FR"],
  ])("that are needed for the first view in %s are under 140 kB, as sent", async (name, locale) => {
    const service = await startService();
    const { page } = await visit(service.link, { locale });
    await page.goto("about:blank");
    const bytes = await watchBytes(page);
    await page.goto(service.address);
    await page.getByRole("treeitem").first().waitFor();
    await page.waitForLoadState("networkidle");
    const own = [...bytes].filter(([url]) => url === "/" || url.startsWith("/assets/"));
    const total = own.reduce((sum, [, size]) => sum + size, 0);
    console.log(
      `first view in ${name}: ${(total / 1000).toFixed(1)} kB in ${own.length} files, as sent`,
    );
    expect(own.some(([url]) => url.endsWith(".js"))).toBe(true);
    expect(own.some(([url]) => url.endsWith(".css"))).toBe(true);
    expect(total).toBeLessThan(140_000);
    // One person's vault asks for nothing that only a team needs.
    expect(
      [...bytes.keys()].filter((url) => /^\/assets\/.*team|^\/api\/(?:me|presence)\b/u.test(url)),
    ).toEqual([]);
  });

  it("name nothing that is somewhere else", () => {
    const code = readdirSync(path.join(WEB, "assets")).filter((file) => file.endsWith(".css"));
    for (const file of code) {
      expect(readFileSync(path.join(WEB, "assets", file), "utf8")).not.toMatch(
        /url\(["']?https?:/u,
      );
    }
  });
});
