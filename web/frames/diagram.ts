/* The script of the frame that draws diagrams: it has an origin of its own, and its policy allows this script and nothing else. */
import mermaid from "mermaid";

interface Wanted {
  readonly source: string;
  readonly isDark: boolean;
}

async function draw({ source, isDark }: Wanted): Promise<void> {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: "strict",
    theme: isDark ? "dark" : "neutral",
    suppressErrorRendering: true,
    fontFamily: "sans-serif",
  });
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  const { svg } = await mermaid.render("diagram", source);
  // In here it can reach nothing: no page, no server, no other script.
  document.body.innerHTML = svg;
  const drawing = document.body.firstElementChild;
  const height = Math.ceil(drawing?.getBoundingClientRect().height ?? 0);
  window.parent.postMessage({ height: height + 4 }, "*");
}

window.addEventListener("message", ({ source, data }: MessageEvent<Wanted>) => {
  if (source !== window.parent) return;
  draw(data).catch(() => window.parent.postMessage({ height: 0 }, "*"));
});
