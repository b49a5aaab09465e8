import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

import type { LineRange } from "../app/addresses.ts";
import { renderBlocks } from "./blocks.tsx";
import { Embed } from "./embeds/embed.tsx";
import { parseMarkdown } from "./parse.ts";

/** The note `vault/d/note.md`, with a frontmatter of two lines, as HTML. */
function renderNote(text: string, marked: LineRange | null = null): string {
  const parsed = parseMarkdown(text);
  const note = {
    ...parsed,
    file: "vault/d/note.md",
    known: null,
    linesBefore: 2,
    marked,
    embed: Embed,
  };
  const footnotes = [...parsed.footnotes.values()].flatMap(({ children }) => children);
  return renderToStaticMarkup(
    <>{renderBlocks([...parsed.root.children, ...footnotes], text, note)}</>,
  );
}

describe("a note as it is read", () => {
  it("has tables, task lists, code and marks", () => {
    const html = renderNote(
      "| a | b |\n| --- | ---: |\n| **1** | 2 |\n\n- [x] done\n- [ ] open\n\n```js\nlet a;\n```\n\n~~gone~~ `x`\n",
    );
    expect(html).toContain('<th scope="col">a</th><th scope="col" class="to-right">b</th>');
    expect(html).toContain("<td><strong>1</strong></td>");
    expect(html).toMatch(
      /<li class="task"><input type="checkbox"[^>]*checked=""[^>]*\/>done<\/li>/u,
    );
    expect(html).toContain("<code>let a;</code>");
    expect(html).toContain("<del>gone</del> <code>x</code>");
  });

  it("leads to other notes, by path, by name and by line", () => {
    const html = renderNote(
      "[[tasks]] [[bucket/a|the mail]] [here](../x.md#L9-14) ![plan](p.png)\n",
    );
    expect(html).toContain('<a href="/file/vault/tasks.md">tasks</a>');
    expect(html).toContain('<a href="/file/vault/bucket/a.md">the mail</a>');
    expect(html).toContain('<a href="/file/vault/x.md#L9-14">here</a>');
    expect(html).toContain('src="/api/raw?path=vault%2Fd%2Fp.png"');
  });

  it("opens other sites in another tab, which learns nothing of this one", () => {
    expect(renderNote("<https://example.org>")).toContain(
      '<a href="https://example.org/" target="_blank" rel="noopener noreferrer">',
    );
  });

  it("does not load images from elsewhere, nor drawings that may hold a script", () => {
    const html = renderNote(
      "![a](https://example.org/a.png) ![b](b.svg) ![c](data:image/png;base64,x)",
    );
    expect(html).not.toContain("<img");
    expect(html).toContain("show the image from example.org");
  });

  it("keeps facts on lines of their own, and lets other lines flow", () => {
    const html = renderNote(
      "status: todo | prio: high\ndeadline: 2026-11-25\nIt has to be\ndone.\n",
    );
    expect(html).toBe(
      "<p>status: todo | prio: high<br/>deadline: 2026-11-25<br/>It has to be\ndone.\n</p>",
    );
  });

  it("marks the lines that a link points to", () => {
    const html = renderNote("# A\n\none\n\ntwo\n\n- x\n- y\n", { start: 6, end: 9 });
    expect(html).toBe(
      '<h1 id="h-a">A</h1><p>one</p><p class="marked">two</p><ul><li class="marked">x</li><li>y</li></ul>',
    );
  });

  it.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "text <b onclick=alert(1)>bold</b>",
    "[x](javascript:alert(1))",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "[[javascript:alert(1)]]",
    '[a](<x" onmouseover="alert(1)>)',
    '![a" onerror="alert(1)](p.png)',
    "<svg><script>alert(1)</script></svg>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<style>*{display:none}</style>",
    "`<script>alert(1)</script>`",
    "| <script>alert(1)</script> |\n| --- |\n",
    "# <img src=x onerror=alert(1)>",
    "[^1]\n\n[^1]: <script>alert(1)</script>",
  ])("shows %j, and nothing of it acts", (text) => {
    const html = renderNote(text);
    expect(html).not.toMatch(/<(?:script|iframe|style|object|embed|form|meta|base|link)\b/iu);
    // The only drawings are our own icons.
    expect(
      html.replaceAll(/<svg viewBox="0 0 16 16"[^>]*aria-hidden="true"><path/gu, ""),
    ).not.toMatch(/<svg/iu);
    expect(html.replaceAll(/"[^"]*"/gu, '""')).not.toMatch(/<[^>]*\son\w+=/iu);
    expect(html).not.toMatch(/href="(?!\/|https?:|mailto:|#)/iu);
  });

  it("has callouts, marks, tags, formulas and sizes, and no comments", () => {
    const html = renderNote(
      "> [!warning]- Mind **this**\n> It is hot.\n\nA ==bright== word, #garden/oak and $x^2$, not #12 or a == b.\n\n%%hidden%% seen %%\n\nall of it\n%%\n\n![plan|200x80](p.png)\n",
    );
    expect(html).toContain(
      '<details class="callout callout-warn"><summary class="callout-title">Mind <strong>this</strong></summary><div class="callout-body"><p>It is hot.</p></div></details>',
    );
    expect(html).toContain("<mark>bright</mark>");
    expect(html).toContain('<a class="tag" href="/search?q=tag%3Agarden%2Foak">#garden/oak</a>');
    expect(html).toContain('<span class="math"><code>x^2</code></span>');
    expect(html).toContain("not #12 or a == b.");
    expect(html).toContain("<p> seen ");
    expect(html).not.toMatch(/hidden|all of it/u);
    expect(html).toContain('alt="plan" loading="lazy" width="200" height="80"');
  });

  it("hides the names of blocks, but in code and formulas", () => {
    expect(renderNote("first ^a-1\n\n- x ^b\n- y^2 ^ 3\n\n^c\n")).toBe(
      "<p>first </p><ul><li>x </li><li>y^2 ^ 3</li></ul>",
    );
    expect(renderNote("```\nx ^a\n```\n")).toContain("x ^a");
    expect(renderNote("$$\nx ^2\n$$\n")).toContain("x ^2");
    expect(renderNote("`x ^a`\n")).toContain("x ^a");
  });

  it("takes prices for prices, and what looks like a comment in code for code", () => {
    expect(renderNote("It costs $5 and $10 now.\n")).toBe("<p>It costs $5 and $10 now.</p>");
    expect(renderNote("`%%a%%` b\n")).toBe("<p><code>%%a%%</code> b</p>");
    expect(renderNote("```\n%%a%%\n```\n")).toContain("%%a%%");
  });

  it("has harmless HTML, also around blocks, and closes what was left open", () => {
    expect(renderNote("H<sub>2</sub>O <kbd>Ctrl</kbd><br>x <b>open\n")).toBe(
      "<p>H<sub>2</sub>O <kbd>Ctrl</kbd><br/>x <b>open</b></p>",
    );
    expect(
      renderNote("<details open>\n<summary>More &amp; more</summary>\n\n- one\n\n</details>\n"),
    ).toBe('<details open=""><summary>More &amp; more</summary><ul><li>one</li></ul></details>');
    expect(renderNote('<img src="p.png" width="40" onerror="x()">\n')).toBe(
      '<img src="/api/raw?path=vault%2Fd%2Fp.png" alt="" loading="lazy" width="40"/>',
    );
  });

  const FRAGMENTS = [
    "<b>",
    "</b>",
    "<div>",
    "</div>",
    "<script>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>",
    "</a>",
    "<svg onload=alert(1)>",
    "<math><mi xlink:href='javascript:alert(1)'>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "==",
    "%%",
    "$",
    "$$",
    "`",
    "**",
    "\n",
    "\n\n",
    "> [!note]",
    "![[",
    "]]",
    "|200",
    "[x](javascript:alert(1))",
    "<!--",
    "-->",
    "\\href{javascript:alert(1)}{x}",
    '"',
    "'",
    "<details ontoggle=alert(1) open>",
    "<p style='x:expression(alert(1))'>",
    "#tag",
    "[^1]",
    "\n[^1]: ",
    "<td colspan='9' onclick=alert(1)>",
    "&lt;script&gt;",
    "<object data=x>",
    "<form action=//evil.example>",
    "<SCRIPT/x>",
    "<b/onclick=alert(1)>",
  ];

  it("lets nothing act, however it is put together", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 }), (parts) => {
        const html = renderNote(parts.join(""));
        const tags = [...html.matchAll(/<(\w+)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>/gu)];
        for (const [, name = "", attributes = ""] of tags) {
          expect(name).not.toMatch(/^(?:script|iframe|style|object|embed|form|meta|base|link)$/iu);
          expect(attributes.replaceAll(/"[^"]*"/gu, "")).not.toMatch(
            /\s(?:on\w+|style|srcdoc|xlink:href)/iu,
          );
          expect(attributes).not.toMatch(/(?:href|src)="(?!\/|https?:|mailto:|#)/iu);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("shows equal blocks as often as they are there", () => {
    expect(renderNote("same\n\nsame\n")).toBe("<p>same</p><p>same</p>");
  });
});
