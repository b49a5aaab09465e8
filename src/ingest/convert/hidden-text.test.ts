import { describe, expect, it } from "vitest";

import { removeHiddenText } from "./hidden-text.ts";
import { parsePage } from "./html.ts";

function shownOf(html: string): string {
  const page = parsePage(html);
  removeHiddenText(page);
  return page.body.textContent?.replaceAll(/\s+/gu, " ").trim() ?? "";
}

describe("text that a page does not show", () => {
  it.each([
    ["display", '<p style="display:none">ORDER</p>'],
    ["visibility", '<p style="visibility: hidden !important">ORDER</p>'],
    ["opacity", '<p style="opacity:0.0">ORDER</p>'],
    ["no size", '<span style="font-size:0px">ORDER</span>'],
    ["one pixel", '<span style="font-size:1px;line-height:1px">ORDER</span>'],
    ["white on white", '<p style="color:#fff">ORDER</p>'],
    ["nearly white", '<p style="color:rgb(254, 254, 254)">ORDER</p>'],
    ["the colour of its cell", '<td bgcolor="#112233"><font color="#112233">ORDER</font></td>'],
    ["transparent", '<p style="color:rgba(0,0,0,0)">ORDER</p>'],
    ["off-screen", '<p style="position:absolute;left:-9999px">ORDER</p>'],
    ["indented away", '<p style="text-indent:-9999px">ORDER</p>'],
    ["clipped", '<p style="position:absolute;clip:rect(0,0,0,0)">ORDER</p>'],
    ["no height", '<div style="height:0;overflow:hidden"><b>ORDER</b></div>'],
    ["scaled to nothing", '<p style="transform: scale(0)">ORDER</p>'],
    ["right of the screen", '<p style="position:absolute;left:200vw">ORDER</p>'],
    ["filtered away", '<p style="filter:opacity(0%)">ORDER</p>'],
    ["not drawn", '<p style="content-visibility:hidden">ORDER</p>'],
    ["not filled", '<p style="-webkit-text-fill-color:transparent">ORDER</p>'],
    ["a class", "<style>.x { display: none }</style><p class=x>ORDER</p>"],
    ["a sheet for all", "<style>@media all { .x { opacity: 0 } }</style><p class=x>ORDER</p>"],
    ["the attribute", "<p hidden>ORDER</p>"],
  ])("is removed: %s", (_, html) => {
    expect(shownOf(`<html><body><p>Before</p>${html}<p>after</p></body></html>`)).not.toContain(
      "ORDER",
    );
  });

  it.each([
    [
      "a size inside none, as mails have it",
      '<td style="font-size:0"><p style="font-size:14px">SHOWN</p></td>',
    ],
    [
      "visible inside hidden",
      '<p style="visibility:hidden"><b style="visibility:visible">SHOWN</b></p>',
    ],
    ["white on dark", '<div style="background:#123"><p style="color:white">SHOWN</p></div>'],
    [
      "white on a picture",
      '<div style="background:url(a.png)"><p style="color:white">SHOWN</p></div>',
    ],
    [
      "hidden on paper only",
      "<style>@media print { .x { display: none } }</style><p class=x>SHOWN</p>",
    ],
    [
      "hidden under the pointer only",
      "<style>.x:hover { display: none }</style><p class=x>SHOWN</p>",
    ],
    [
      "shown by a later rule",
      "<style>.x{display:none} .x{display:block}</style><p class=x>SHOWN</p>",
    ],
    [
      "white, with sheets that are not here",
      '<link rel="stylesheet" href="a.css"><div class="dark"><p style="color:white">SHOWN</p></div>',
    ],
  ])("stays when it is seen: %s", (_, html) => {
    expect(shownOf(`<html><body>${html}</body></html>`)).toContain("SHOWN");
  });

  it("is counted in words", () => {
    const page = parsePage('<body><p>a</p><p style="display:none">one two three</p></body>');
    expect(removeHiddenText(page)).toBe(3);
  });

  it("is found in a page of a hundred thousand elements deep and wide in a few seconds", () => {
    const sheet = Array.from({ length: 2000 }, (_, at) => `.c${at} p{display:none}`).join("");
    const html = `<body><style>${sheet}</style>${"<div>".repeat(3000)}${"<p>x</p>".repeat(50_000)}</body>`;
    const started = performance.now();
    removeHiddenText(parsePage(html));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
