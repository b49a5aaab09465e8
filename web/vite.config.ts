import path from "node:path";

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Whatever started the build: under a test runner it would be React's version for developers, half as large again.
process.env["NODE_ENV"] = "production";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: path.join(import.meta.dirname, "..", "dist", "web"),
    emptyOutDir: true,
    target: "es2023",
    // A file of its own always: the page's policy on what it may load knows no `data:` but for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
