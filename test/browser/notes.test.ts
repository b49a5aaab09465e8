import { describe, expect, it } from "vitest";

import { demoImage } from "../../src/testing/demo-image.ts";
import { useChromium, visit } from "./chromium.ts";
import { LOCALES, picture, SIZES } from "./picture.ts";
import { violationsIn } from "./violations.ts";
import { startService } from "./service.ts";

useChromium();

const RICH = `---
tags: [oak, "old tree"]
aliases:
  - Quercus
up: "[[trees]]"
---

# The oak

> [!tip] Water it early
> Roots want **morning** water.

> [!warning]- Folded
> It falls in storms.

It is ==two hundred== years old, #garden/oak, and grows by $\\frac{1}{2}\\sqrt{x^2+1}$ a year.[^1] %%nobody reads this%%

$$
\\int_0^1 x^2\\,dx = \\frac{1}{3}
$$

\`\`\`mermaid
graph LR
  Acorn --> Oak --> Shade
\`\`\`

Press <kbd>Ctrl</kbd>, H<sub>2</sub>O.

![[photo.png|160]]

![[trees#Near the house]]

![Elsewhere](https://pictures.example/oak.png)

[^1]: Measured in June.
`;

/** A second of silence, as the browser can play it. */
function wav(): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + 8000, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(8000, 40);
  return Buffer.concat([head, Buffer.alloc(8000, 128)]);
}

const CANVAS = JSON.stringify({
  nodes: [
    { id: "g", type: "group", x: -30, y: -60, width: 760, height: 420, label: "Garden" },
    {
      id: "a",
      type: "text",
      x: 0,
      y: 0,
      width: 260,
      height: 120,
      text: "Plant **it**\nin November",
      color: "4",
    },
    { id: "b", type: "file", x: 420, y: 0, width: 260, height: 120, file: "oak.md" },
    {
      id: "c",
      type: "link",
      x: 420,
      y: 180,
      width: 260,
      height: 120,
      url: "https://example.org/oaks",
    },
  ],
  edges: [
    { id: "e", fromNode: "a", fromSide: "right", toNode: "b", toSide: "left", label: "then" },
    { id: "f", fromNode: "a", fromSide: "bottom", toNode: "c", toSide: "left" },
  ],
});

const FILES = {
  "oak.md": RICH,
  "trees.md":
    "# Trees\n\nFar away.\n\n## Near the house\n\nThe [[oak]] and an elm.\n\n## Elsewhere\n\nNone.\n",
  "photo.png": Buffer.from(demoImage()),
  "plan.canvas": CANVAS,
  "song.wav": wav(),
};

describe("notes as people wrote them", () => {
  it("show callouts, formulas, diagrams, embeds, tags and properties", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visit(service.link);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${service.address}/file/vault/oak.md`);
    const main = page.getByRole("main");
    await main.locator(".callout-good", { hasText: "Water it early" }).waitFor();
    await main.locator("math mfrac").first().waitFor();
    await main.locator(".math-block math").waitFor();
    const diagram = page.frameLocator("iframe[title=Diagram]");
    await diagram.getByText("Shade").waitFor({ timeout: 30_000 });
    await expect
      .poll(async () => (await main.locator("iframe[title=Diagram]").boundingBox())?.height, {
        timeout: 20_000,
      })
      .not.toBe(120);
    await main.locator("figure.embed", { hasText: "The oak and an elm." }).waitFor();
    const embedded = await main.locator("figure.embed").textContent();
    expect(embedded).not.toMatch(/Far away|None\./u);
    expect(await main.locator("img[alt='photo.png']").getAttribute("width")).toBe("160");
    expect(await main.textContent()).not.toContain("nobody reads this");
    expect(await main.locator("mark").first().textContent()).toBe("two hundred");
    await main.getByRole("link", { name: "old tree" }).waitFor();
    expect(asked.filter((url) => !url.startsWith(service.address))).toEqual([]);

    await main.getByRole("link", { name: "#garden/oak" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?q=tag%3Agarden%2Foak");
    await main.getByRole("link", { name: /oak/u }).first().waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);

  it("ask another server for an image only after a click, in a frame that can do nothing else", async () => {
    const service = await startService({ files: FILES });
    const { page } = await visit(service.link);
    const asked: string[] = [];
    await page.context().route("https://pictures.example/**", async (route) => {
      asked.push(route.request().url());
      await route.fulfill({ contentType: "image/png", body: Buffer.from(demoImage()) });
    });
    await page.goto(`${service.address}/file/vault/oak.md`);
    const show = page.getByRole("button", {
      name: "Elsewhere · show the image from pictures.example",
    });
    await show.waitFor();
    expect(asked).toEqual([]);
    // A diagram above it that gets its height would move the button away from the pointer.
    await page.frameLocator("iframe[title=Diagram]").getByText("Shade").waitFor();
    await expect
      .poll(async () => (await page.locator("iframe[title=Diagram]").boundingBox())?.height)
      .not.toBe(120);
    await show.click();
    await page.frameLocator("iframe[title=Elsewhere]").locator("img").waitFor();
    await expect.poll(() => asked).toEqual(["https://pictures.example/oak.png"]);
    const reach = await page
      .frames()
      .find((frame) => frame.url().endsWith("/frame/picture"))
      ?.evaluate(
        "(() => { try { return String(parent.document); } catch (error) { return error.name; } })()",
      );
    expect(reach).toBe("SecurityError");
  }, 60_000);

  it("show a canvas as a picture, and recordings and PDFs in the browser's own viewer", async () => {
    const service = await startService({ files: { ...FILES, "a.pdf": "%PDF-1.4\n%%EOF\n" } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/plan.canvas`);
    await page.getByText("in November").waitFor();
    await page.locator(".canvas strong", { hasText: "it" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "oak.md" }).click();
    await page.getByRole("heading", { name: "The oak" }).waitFor();
    await page.goto(`${service.address}/file/vault/song.wav`);
    await expect
      .poll(async () => page.evaluate("document.querySelector('audio')?.duration"))
      .toBe(1);
    await page.goto(`${service.address}/file/vault/a.pdf`);
    const frame = page.locator("iframe[title='a.pdf']");
    expect(await frame.getAttribute("src")).toBe("/api/media?path=vault%2Fa.pdf");
  }, 60_000);

  it.each(["light", "dark"] as const)(
    "are pictured in the %s theme, and open to everybody",
    async (colorScheme) => {
      const service = await startService({ files: FILES });
      for (const lang of ["en", "fr"] as const) {
        const link = lang === "en" ? service.link : await service.newLink();
        const { page } = await visit(link, { colorScheme, locale: LOCALES[lang] });
        for (const [size, viewport] of Object.entries(SIZES)) {
          await page.setViewportSize(viewport);
          await page.goto(`${service.address}/file/vault/oak.md`);
          await page.locator("math mfrac").first().waitFor();
          await page.locator("figure.embed").waitFor();
          await expect
            .poll(async () =>
              page.evaluate("document.querySelector('main iframe.sandboxed')?.style.opacity"),
            )
            .toBe("1");
          await page.waitForLoadState("networkidle");
          await picture(page, `rich-note-${size}-${colorScheme}${lang === "en" ? "" : "-fr"}`);
          expect(await violationsIn(page), size).toEqual([]);
        }
      }
    },
    120_000,
  );
});
