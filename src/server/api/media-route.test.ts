import { describe, expect, it } from "vitest";

import { startPage } from "../testing/page.ts";
import { rangeIn } from "./media-route.ts";

const PDF = `%PDF-1.4\n${"x".repeat(500)}`;

describe("GET /api/media", () => {
  it("sends a PDF for the browser's own viewer, to our page alone", async () => {
    const page = await startPage({ files: { "a.pdf": PDF } });
    expect(await page.call("/api/media?path=vault/a.pdf")).toMatchObject({
      status: 200,
      text: PDF,
      headers: {
        "content-type": "application/pdf",
        "content-security-policy": "frame-ancestors 'self'",
        "x-frame-options": "SAMEORIGIN",
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      },
    });
  });

  it("says what the file is called, so that the viewer shows it and saves under it", async () => {
    const name = 'l\'offre (été)* "x".pdf';
    const page = await startPage({ files: { [name]: PDF } });
    const { headers } = await page.call(`/api/media?path=${encodeURIComponent(`vault/${name}`)}`);
    expect(headers["content-disposition"]).toBe(
      "inline; filename*=UTF-8''l%27offre%20%28%C3%A9t%C3%A9%29%2A%20%22x%22.pdf",
    );
  });

  it("sends a part when it is asked for one", async () => {
    const page = await startPage({ files: { "a.pdf": PDF } });
    const asked = { headers: { range: "bytes=0-3" } };
    expect(await page.call("/api/media?path=vault/a.pdf", asked)).toMatchObject({
      status: 206,
      text: "%PDF",
      headers: { "content-range": `bytes 0-3/${PDF.length}` },
    });
    const beyond = { headers: { range: "bytes=9000-" } };
    expect((await page.call("/api/media?path=vault/a.pdf", beyond)).status).toBe(416);
  });

  it.each(["page.html", "note.pdf", "drawing.svg"])(
    "sends nothing that a browser would run, whatever it is called: %s",
    async (name) => {
      const text = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
      const page = await startPage({ files: { [name]: text } });
      const { status, headers } = await page.call(`/api/media?path=vault/${name}`);
      expect(status).toBe(422);
      expect(headers["content-type"]).toBe("application/problem+json");
    },
  );
});

it.each([
  [undefined, null],
  ["bytes=2-5", { start: 2, end: 5 }],
  ["bytes=7-", { start: 7, end: 9 }],
  ["bytes=-3", { start: 7, end: 9 }],
  ["bytes=5-99", { start: 5, end: 9 }],
  ["bytes=10-", "none"],
  ["bytes=1-2,4-5", null],
  ["lines=1-2", null],
])("of ten bytes %j are %j", (header, range) => {
  expect(rangeIn(header, 10)).toEqual(range);
});
