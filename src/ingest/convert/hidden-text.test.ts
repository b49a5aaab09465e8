import { describe, expect, it } from "vitest";

import { removeHiddenText } from "./hidden-text.ts";
import { parsePage } from "./html.ts";

const SUM = "<math><mi>a</mi><mo>+</mo><mi>b</mi></math>";

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
    ["moved away", '<p style="transform:translateX(-9999px)">ORDER</p>'],
    [
      "moved away in both directions",
      '<p style="transform: rotate(1deg) translate(-200em, 0)">ORDER</p>',
    ],
    ["moved away by its own property", '<p style="translate: -9999px">ORDER</p>'],
    ["moved away by a matrix", '<p style="transform:matrix(1,0,0,1,-9999,0)">ORDER</p>'],
    ["far to the right", '<p style="position:absolute;left:9999px">ORDER</p>'],
    ["far above", '<p style="position:fixed;bottom:9999px">ORDER</p>'],
    [
      "on every screen",
      "<style>@media screen and (min-width:1px) { .x { display: none } }</style><p class=x>ORDER</p>",
    ],
    [
      "on wide screens",
      "<style>@media (width >= 600px) { .x { display: none } }</style><p class=x>ORDER</p>",
    ],
    ["below the root", "<style>:root .x { display: none }</style><p class=x>ORDER</p>"],
    [
      "unless it is something else",
      "<style>p:not(.y) { display: none }</style><p class=x>ORDER</p>",
    ],
    ["by its place", "<style>p:nth-child(3) { display: none }</style><p>ORDER</p>"],
    ["with a state beside it", "<style>a:hover, .x { display: none }</style><p class=x>ORDER</p>"],
    [
      "importantly",
      "<style>.x{display:none!important} .x{display:block}</style><p class=x>ORDER</p>",
    ],
    [
      "importantly, against its attribute",
      '<style>.x{display:none!important}</style><p class=x style="display:block">ORDER</p>',
    ],
    [
      "by its id, whatever its class says",
      "<style>#a{display:none} .x{display:block}</style><p class=x id=a>ORDER</p>",
    ],
    ["red on red", '<div style="background:red"><p style="color:red">ORDER</p></div>'],
    ["named on numbered", '<div style="background:#008080"><p style="color:teal">ORDER</p></div>'],
    ["in another way to write white", '<p style="color:hsl(0 0% 100%)">ORDER</p>'],
    ["nearly transparent", '<p style="color:rgba(0,0,0,.01)">ORDER</p>'],
    ["nearly transparent, in hexadecimal", '<p style="color:#00000004">ORDER</p>'],
    ["in a closed dialog", "<dialog><p>ORDER</p></dialog>"],
    [
      "in a holder of formulas, beside one",
      `<span class=katex><span class=katex-mathml style="display:none">ORDER ${SUM}</span><span class=katex-html>a+b</span></span>`,
    ],
    [
      "as a formula that is not drawn",
      `<span class=katex-mathml style="display:none"><math><mtext>ORDER</mtext></math></span>`,
    ],
    [
      "as a formula that says more than is drawn",
      `<span class=katex><span class=katex-mathml style="display:none"><math><mtext>ORDER for everybody who reads this</mtext></math></span><span class=katex-html>a+b</span></span>`,
    ],
    [
      "as a formula whose drawing is hidden",
      `<span class=katex><span class=katex-mathml style="display:none"><math><mtext>ORDER for everybody who reads this</mtext></math></span><span class=katex-html style="font-size:0">ORDER for everybody who reads this</span></span>`,
    ],
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
      "a menu beside what opens it",
      '<div style="position:absolute;left:100%;transform:translateX(-50%)">SHOWN</div>',
    ],
    [
      "far down a long page",
      '<p style="position:absolute;top:12000px;transform:translateY(2000px)">SHOWN</p>',
    ],
    [
      "hidden on narrow screens only",
      "<style>@media screen and (max-width: 600px) { .x { display: none } }</style><p class=x>SHOWN</p>",
    ],
    [
      "shown on wide screens",
      "<style>.x{display:none} @media (min-width: 48em) { .md\\:x { display: block } }</style><p class='x md:x'>SHOWN</p>",
    ],
    [
      "hidden in the dark only",
      "<style>@media (prefers-color-scheme: dark) { .x { color: white } }</style><p class=x>SHOWN</p>",
    ],
    [
      "hidden when it is a child of something else",
      "<style>:not(body) > .x { display: none }</style><p class=x>SHOWN</p>",
    ],
    [
      "shown importantly",
      "<style>.x{display:block!important} #a.x{display:none}</style><p class=x id=a>SHOWN</p>",
    ],
    ["half transparent", '<p style="color:rgba(0,0,0,.5)">SHOWN</p>'],
    [
      "light on its own colour",
      '<div style="background:navy"><p style="color:lightblue">SHOWN</p></div>',
    ],
    ["an open dialog", "<dialog open><p>SHOWN</p></dialog>"],
    ["a dialog that its sheet shows", "<style>dialog{display:block}</style><dialog>SHOWN</dialog>"],
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
