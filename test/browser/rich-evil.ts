/** Whatever of these acts would set this in the page, or ask for something from elsewhere. */
const ACT = "window.hacked=1";
export const EVIL = "https://evil.example";

const DIAGRAMS = [
  `graph TD\n  A["<img src=x onerror=parent.hacked=1>"] --> B\n  click A "javascript:${ACT}"`,
  `graph TD\n  A --> B\n  click A href "${EVIL}/click" "x" _top\n  style A fill:url(${EVIL}/fill)`,
  `%%{init: {"securityLevel": "loose", "themeCSS": "* { background: url(${EVIL}/css) }"}}%%\ngraph TD\n  A["<script>top.hacked=1</script>"]`,
  `sequenceDiagram\n  Alice->>Bob: <iframe srcdoc="<script>top.hacked=1</script>"></iframe>`,
];

const FORMULAS = [
  `\\href{javascript:${ACT}}{x}`,
  `\\url{javascript:${ACT}}`,
  `\\includegraphics{${EVIL}/x.png}`,
  `\\htmlData{onclick=${ACT}}{x} \\htmlStyle{background:url(${EVIL}/m)}{x}`,
  `\\text{<img src=x onerror=${ACT}>} <script>${ACT}</script>`,
  `\\def\\a{\\a\\a}\\a`,
];

const NOTE = `---
tags: ["<img src=x onerror=${ACT}>", "javascript:${ACT}"]
link: javascript:${ACT}
up: "[[javascript:${ACT}]]"
site: ${EVIL}/"onmouseover="${ACT}
---

# Evil

${DIAGRAMS.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``).join("\n\n")}

${FORMULAS.map((tex) => `$$\n${tex}\n$$`).join("\n\n")}

> [!<img src=x onerror=${ACT}>] <script>${ACT}</script>
> [x](javascript:${ACT})

> [!note" onclick="${ACT}]- <img src=x onerror=${ACT}>

![[embedded]]

![[board.canvas]]

![[embedded#<img src=x onerror=${ACT}>]]

<details open ontoggle="${ACT}"><summary onclick="${ACT}">x</summary><img src="x" onerror="${ACT}"></details>

<a href="javascript:${ACT}">a</a> <a href="java&#115;cript:${ACT}">b</a> <a href=" jAvAsCrIpT:${ACT}">c</a>

<img src="${EVIL}/pixel.png"> <img src="javascript:${ACT}"> <div style="background:url(${EVIL}/style)">x</div>

<math href="javascript:${ACT}"><mtext><img src=x onerror=${ACT}></mtext></math>

==<img src=x onerror=${ACT}>== %%<script>${ACT}</script>%% #tag"onclick="${ACT}
`;

const CANVAS = JSON.stringify({
  nodes: [
    {
      id: "a",
      type: "text",
      x: 0,
      y: 0,
      width: 200,
      height: 90,
      text: `# <img src=x onerror=${ACT}>\n\n[x](javascript:${ACT}) ![y](${EVIL}/d.png) ![[evil]]\n\n<script>${ACT}</script>`,
    },
    { id: "b", type: "link", x: 300, y: 0, width: 200, height: 90, url: `javascript:${ACT}` },
    {
      id: "c",
      type: "file",
      x: 0,
      y: 200,
      width: 200,
      height: 90,
      file: `../../"onload="${ACT}.png`,
    },
    {
      id: "d",
      type: "group",
      x: 0,
      y: 400,
      width: 200,
      height: 90,
      label: `<script>${ACT}</script>`,
      background: `${EVIL}/b.png`,
      color: `url(${EVIL}/c)`,
    },
  ],
  edges: [{ id: "e", fromNode: "a", toNode: "b", label: `<script>${ACT}</script>` }],
});

/** A vault of what others wrote, with everything that notes can hold. */
export const RICH_EVIL = {
  "evil.md": NOTE,
  "embedded.md": `# In\n\n<script>${ACT}</script>\n\n<img src=x onerror=${ACT}>\n\n![[evil]]\n`,
  "board.canvas": CANVAS,
};
