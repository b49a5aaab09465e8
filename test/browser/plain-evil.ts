/** Whatever of these acts would set this in the page, or ask for something from elsewhere. */
export const ACT = "window.hacked=1";

export const EVIL_NOTE = `# <img src=x onerror="${ACT}">

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

export const EVIL_NAME = `<img src=x onerror=${ACT.replaceAll(".", "")}>.md`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${ACT}"><script>${ACT}</script></svg>`;

/** A vault of what others wrote: in notes, names, drawings and inbox items. */
export const PLAIN_EVIL = {
  "overview.md": EVIL_NOTE,
  "evil.md": `---\ntitle: <script>${ACT}</script>\nfrom: javascript:${ACT}\n---\n\n${EVIL_NOTE}`,
  [EVIL_NAME]: "# named badly\n",
  "drawing.svg": SVG,
  "page.html": `<script>${ACT}</script>`,
  "inbox/2026-01-31-<b>x/review.md": `# Review: <script>${ACT}</script>\n\n## Question\n\n<img src=x onerror=${ACT}>?\n`,
};
