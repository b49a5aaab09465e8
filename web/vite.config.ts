import path from "node:path";

import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Always the production build: a test runner would set the development version of React, half as large again.
process.env["NODE_ENV"] = "production";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: path.join(import.meta.dirname, "..", "dist", "web"),
    emptyOutDir: true,
    target: "es2023",
    // Never inlined: the content security policy allows `data:` only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
