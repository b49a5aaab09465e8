import { createHash } from "node:crypto";
import path from "node:path";

import type { Plugin } from "vite";

import { oneScript } from "./one-script.ts";

const STYLE =
  "html,body{margin:0;background:transparent;font-family:sans-serif}img,svg{display:block;max-width:100%;height:auto;margin:auto}";

/**
 * Builds each script of `web/frames` into a document of its own, `frame/NAME.html`, with the hash that its policy allows in `frame/NAME.hash`.
 * One file, because a document with an origin of its own gets no other file of a service that wants to know who asks.
 */
export function sandboxedFrames(names: readonly string[]): Plugin {
  return {
    name: "coffre-sandboxed-frames",
    apply: "build",
    async generateBundle() {
      for (const name of names) {
        const file = path.join(import.meta.dirname, "..", "frames", `${name}.ts`);
        const script = inDocument(await oneScript(file));
        const hash = createHash("sha256").update(script).digest("base64");
        const source = `<!doctype html><html><head><meta charset="utf-8"><title>${name}</title><style>${STYLE}</style></head><body></body><script>${script}</script></html>\n`;
        this.emitFile({ type: "asset", fileName: `frame/${name}.html`, source });
        this.emitFile({
          type: "asset",
          fileName: `frame/${name}.hash`,
          source: `sha256-${hash}\n`,
        });
      }
    },
  };
}

/** A script in a document ends where its text says so. */
function inDocument(code: string): string {
  return code
    .replaceAll("</script", String.raw`\x3C/script`)
    .replaceAll("<!--", String.raw`\x3C!--`);
}
