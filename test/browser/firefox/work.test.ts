import { describe, expect, it } from "vitest";

import { pdfFile } from "../../../src/ingest/testing/pdf-file.ts";
import { wavFile } from "../../../src/ingest/testing/wav-file.ts";
import { demoTurn, NOTE } from "../demo-model.ts";
import { startService } from "../service.ts";
import { useFirefox, visitFirefox } from "./firefox.ts";

useFirefox();

const PLAN = "projects/loft/plan.md";
const FILES = {
  [PLAN]: "# Plan\n\nFirst line.\n\nLast line.\n",
  "projects/loft/bucket/quote.md": "# Quote\n",
};

/** A point of a picture, as somebody drops it. */
const DROP = `(() => {
  const bytes = Uint8Array.from(atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="), (c) => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], "Deck plan.png", { type: "image/png" }));
  const line = [...document.querySelectorAll(".cm-line")].find((each) => each.textContent === "Last line.");
  const { right, bottom } = line.getBoundingClientRect();
  const place = { clientX: right - 2, clientY: bottom - 4, bubbles: true, cancelable: true };
  for (const event of ["dragenter", "dragover", "drop"])
    line.dispatchEvent(new DragEvent(event, { dataTransfer: data, ...place }));
})()`;

describe("files in Firefox", () => {
  it("are made in a folder, get pictures and properties, are deleted and brought back", async () => {
    const service = await startService({ files: FILES });
    const { page, complaints } = await visitFirefox(service.link);
    await page.goto(`${service.address}/folder/vault/projects/loft/`);
    await page.click("button", { text: "New note" });
    await page.waitFor("form input");
    await page.type("Sails");
    await page.press("Enter");
    await page.waitFor(".cm-content");
    await expect.poll(() => service.names("projects/loft")).toContain("Sails.md");
    await page.goto(`${service.address}/file/vault/${PLAN}?edit=yes`);
    await page.cursorAfter("Last line.");
    await page.evaluate(DROP);
    await page.waitFor(".cm-line", { text: "bucket/deck-plan.png" });
    expect(await page.evaluate("document.body.innerText.includes('Drop files')")).toBe(false);
    await expect
      .poll(() => service.read(PLAN), { timeout: 30_000 })
      .toContain("Last line.![](bucket/deck-plan.png)");
    await page.click("summary", { text: "Properties" });
    await page.click("input[placeholder=Key]");
    await page.type("status");
    await page.click("input[placeholder=Value]");
    await page.type("afloat");
    await page.click("button", { text: "Add a property" });
    await expect.poll(() => service.read(PLAN)).toContain("status: afloat");
    await page.click("button", { text: "Done" });
    await page.click("button", { text: "Delete" });
    await page.waitFor("[role=status]", { text: "plan.md was deleted." });
    expect(service.names("projects/loft")).not.toContain("plan.md");
    await page.click("[role=status] button", { text: "Undo" });
    await page.waitFor("h1", { text: "Plan" });
    expect(service.names("projects/loft")).toContain("plan.md");
    expect(complaints).toEqual([]);
  });

  it("of other kinds are shown: a canvas, a recording, a PDF, and a remote image after a click", async () => {
    const card = { id: "a", type: "text", x: 0, y: 0, width: 200, height: 90, text: "An **oak**" };
    const service = await startService({
      files: {
        "trees.canvas": JSON.stringify({ nodes: [card], edges: [] }),
        "memo.wav": wavFile(),
        "offer.pdf": pdfFile([["The mast"]]),
        "remote.md": "# Far\n\n![A boat](http://127.0.0.1:9/boat.png)\n",
      },
    });
    const { page, asked } = await visitFirefox(service.link);
    await page.goto(`${service.address}/file/vault/trees.canvas`);
    await page.waitFor(".canvas strong", { text: "oak" });
    await page.goto(`${service.address}/file/vault/memo.wav`);
    await expect
      .poll(async () => page.evaluate("document.querySelector('audio')?.duration"))
      .toBe(1);
    await page.goto(`${service.address}/file/vault/offer.pdf`);
    await page.waitFor("iframe[title='offer.pdf']");
    await page.goto(`${service.address}/file/vault/remote.md`);
    await page.waitFor("main button", { text: "127.0.0.1:9" });
    expect(asked.filter((url) => url.includes(":9/"))).toEqual([]);
    await page.click("main button", { text: "127.0.0.1:9" });
    // Nobody answers there: now it was asked for.
    await page.waitFor("main", { text: "could not be loaded" });
  });
});

describe("what the agent does, in Firefox", () => {
  it("is seen before it is done, then one row of the history that is undone", async () => {
    const service = await startService({ model: demoTurn });
    const { page, complaints } = await visitFirefox(service.link);
    const state = "projects/sail-loft/state.md";
    await page.click("label", { text: "Show me first" });
    await page.click("textarea");
    await page.type(NOTE);
    await page.click("button", { text: "Send" });
    await page.waitFor("td, code, pre, span", { text: "a day earlier than planned" });
    expect(service.read(state)).not.toContain("a day earlier");
    await page.reload();
    await page.click("button", { text: "Make these changes" });
    await expect.poll(() => service.read(state)).toContain("a day earlier");
    await page.goto(`${service.address}/history`);
    await page.waitFor("main li", { text: state });
    await page.click("main button", { text: "Undo" });
    await page.waitFor("main li span", { text: "undone" });
    expect(service.read(state)).not.toContain("a day earlier");
    expect(complaints).toEqual([]);
  });
});

describe("a large vault in Firefox", () => {
  it("has only the rows in sight in its document, and a long note in pieces", async () => {
    const section = (at: number): string =>
      `## Section ${at}\n\n${"again and again ".repeat(15)}\n`;
    const files = {
      ...Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`web/entry-${at}.md`, `# Entry ${at}\n`]),
      ),
      "long.md": `# Long\n\n${Array.from({ length: 900 }, (_, at) => section(at)).join("\n")}`,
    };
    const service = await startService({ files });
    const { page, complaints } = await visitFirefox(service.link);
    await page.goto(`${service.address}/folder/vault/web/`);
    await page.waitFor("main tr", { text: "entry-0.md" });
    expect(await page.count("main tr")).toBeLessThan(100);
    await page.evaluate("document.querySelector('main').scrollTop = 20_000");
    await expect
      .poll(async () =>
        page.evaluate(
          "document.querySelector('main tr[aria-rowindex]').getAttribute('aria-rowindex')",
        ),
      )
      .toMatch(/^[45]\d\d$/u);
    await page.goto(`${service.address}/file/vault/long.md#section-800`);
    await expect
      .poll(async () =>
        page.evaluate(
          "Math.abs(document.querySelector('#h-section-800')?.getBoundingClientRect().top ?? 9999) < 700",
        ),
      )
      .toBe(true);
    expect(complaints).toEqual([]);
  }, 120_000);
});
