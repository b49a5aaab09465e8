import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

import type { Plugin } from "vite";

/** Bytes: the best quality takes seconds for a megabyte. */
const LARGE = 1_000_000;

/** Writes each file of the build once more, compressed, so that the service sends it without work. */
export function compressAssets(folder: string): Plugin {
  return {
    name: "coffre-compress-assets",
    apply: "build",
    closeBundle: () => {
      for (const inner of ["assets", "frame"]) {
        for (const name of namesIn(path.join(folder, inner))) {
          if (!/\.(?:css|html|js|svg)$/u.test(name)) continue;
          const file = path.join(folder, inner, name);
          const bytes = readFileSync(file);
          const quality = bytes.length > LARGE ? 9 : constants.BROTLI_MAX_QUALITY;
          const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
          writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        }
      }
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
