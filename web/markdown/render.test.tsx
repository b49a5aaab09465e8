import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";

import type { LineRange } from "../app/addresses.ts";
import { renderBlocks } from "./blocks.tsx";
import { parseMarkdown } from "./parse.ts";

/** The note `vault/d/note.md`, with a frontmatter of two lines, as HTML. */
function renderNote(text: string, marked: LineRange | null = null): string {
  const parsed = parseMarkdown(text);
  const note = { ...parsed, file: "vault/d/note.md", known: null, linesBefore: 2, marked };
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
    expect(html).toContain('href="https://example.org/a.png"');
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
    expect(html).not.toMatch(/<(?:script|svg|iframe|style|b|object|embed|form)\b/iu);
    expect(html.replaceAll(/"[^"]*"/gu, '""')).not.toMatch(/<[^>]*\son\w+=/iu);
    expect(html).not.toMatch(/href="(?!\/|https?:|mailto:|#)/iu);
  });

  it("shows equal blocks as often as they are there", () => {
    expect(renderNote("same\n\nsame\n")).toBe("<p>same</p><p>same</p>");
  });
});
