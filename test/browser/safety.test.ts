import { describe, expect, it } from "vitest";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";

useChromium();

/** Whatever of these acts would set this in the page, or ask for something from elsewhere. */
const ACT = "window.hacked=1";

const NOTE = `# <img src=x onerror="${ACT}">

<script>${ACT}</script>

<svg onload="${ACT}"><script>${ACT}</script></svg>

<iframe src="javascript:${ACT}"></iframe> <b onmouseover="${ACT}">bold</b>

[one](javascript:${ACT}) [two](JaVaScRiPt:${ACT}) [three](data:text/html,<script>${ACT}</script>) [four](vbscript:${ACT})

[five](<x" onmouseover="${ACT}>) [[javascript:${ACT}]] [[x" onmouseover="${ACT}]]

![six](https://evil.example/pixel.png) ![seven](drawing.svg) ![eight" onerror="${ACT}](missing.png)

![nine](data:image/svg+xml,<svg onload=${ACT}>)

<style>body { display: none }</style> <meta http-equiv="refresh" content="0; url=https://evil.example/">

\`\`\`html
<script>${ACT}</script>
\`\`\`

[^1] and <form action="https://evil.example/"><input name=x></form>

[^1]: <script>${ACT}</script>

| <script>${ACT}</script> | b |
| --- | --- |
| <img src=x onerror=${ACT}> | [x](javascript:${ACT}) |
`;

const NAME = `<img src=x onerror=${ACT.replaceAll(".", "")}>.md`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${ACT}"><script>${ACT}</script></svg>`;

describe("what others wrote", () => {
  it("does nothing in the page, whether it stands in notes, names or drawings", async () => {
    const service = await startService({
      files: {
        "overview.md": NOTE,
        "evil.md": `---\ntitle: <script>${ACT}</script>\nfrom: javascript:${ACT}\n---\n\n${NOTE}`,
        [NAME]: "# named badly\n",
        "drawing.svg": SVG,
        "page.html": `<script>${ACT}</script>`,
        "inbox/2026-01-31-<b>x/review.md": `# Review: <script>${ACT}</script>\n\n## Question\n\n<img src=x onerror=${ACT}>?\n`,
      },
    });
    const { page, complaints } = await visit(service.link);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const dialogs: string[] = [];
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    const places = [
      "/",
      "/file/vault/evil.md",
      `/file/vault/${encodeURIComponent(NAME)}`,
      "/file/vault/drawing.svg",
      "/file/vault/page.html",
      "/inbox",
      `/inbox/${encodeURIComponent("2026-01-31-<b>x")}`,
      "/search?q=onerror",
      "/history",
      "/folder/vault/",
      "/api/raw?path=drawing.svg",
      "/api/raw?path=page.html",
      `/search?q=${encodeURIComponent(`<img src=x onerror=${ACT}>`)}`,
    ];
    for (const place of places) {
      await page.goto(service.address + place);
      await page.waitForLoadState("networkidle");
      const hovered = await page.getByText(/bold|six|five/u).all();
      for (const each of hovered.slice(0, 5)) await each.hover({ force: true });
      expect(await page.evaluate("window.hacked"), place).toBeUndefined();
      expect(new URL(page.url()).origin, place).toBe(service.address);
    }
    expect(asked.filter((url) => !url.startsWith(service.address))).toEqual([]);
    expect(dialogs).toEqual([]);
    // An image that is not there may be missed; nothing else may be complained of.
    expect(complaints.filter((text) => !/404/u.test(text))).toEqual([]);
  });

  it("is shown as the text it is", async () => {
    const service = await startService({ files: { "evil.md": NOTE } });
    const { page } = await visit(service.link);
    await page.goto(`${service.address}/file/vault/evil.md`);
    await page.getByText(`<script>${ACT}</script>`).first().waitFor();
    expect(await page.locator("main script, main iframe, main form, main style").count()).toBe(0);
    expect(await page.locator("main svg script").count()).toBe(0);
    for (const link of await page.locator("main a").all()) {
      expect(await link.getAttribute("href")).toMatch(/^(?:\/|https?:|#fn-)/u);
    }
  });
});

describe("the door", () => {
  it("shows nothing of the vault to a browser that was not let in, and says how to get in", async () => {
    const service = await startService();
    const { page, context } = await visit(service.link);
    await context.clearCookies();
    for (const place of ["/", "/file/vault/overview.md", "/history"]) {
      await page.goto(service.address + place);
      await page.getByText("This vault is private.").waitFor();
      expect(await page.locator("textarea").count()).toBe(0);
    }
  });

  it("tells a page that is open when its browser is let in no more", async () => {
    const service = await startService();
    const { page, context } = await visit(service.link);
    await page.getByText("Watching for changes").waitFor();
    await context.clearCookies();
    await service.stop();
    await service.start();
    await page.getByText("This browser is not let in any more.").waitFor();
    expect(await page.getByText("Run coffre open for a new link.").isVisible()).toBe(true);
  });
});
