import path from "node:path";

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

import { appWorker } from "./build/app-worker.ts";
import { compressAssets } from "./build/compress-assets.ts";
import { sandboxedFrames } from "./build/sandboxed-frames.ts";

// Always the production build: a test runner would set the development version of React, half as large again.
process.env["NODE_ENV"] = "production";

const OUT = path.join(import.meta.dirname, "..", "dist", "web");

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    tailwindcss(),
    sandboxedFrames(["diagram", "picture"]),
    appWorker(OUT),
    compressAssets(OUT),
  ],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    target: "es2023",
    // Never inlined: the content security policy allows `data:` only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor, math and diagrams are large and loaded when first met: said at every `npm start`, it helps nobody.
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // One file for the first view: each more costs a round trip and almost a kilobyte of headers.
      output: {
        codeSplitting: {
          groups: [
            { name: "first", tags: ["$initial"] },
            // Views that only a team needs, with what every view of theirs has.
            { name: "team", test: /\/web\/team\//u },
          ],
        },
      },
    },
  },
});
