import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // What needs the real QMD runs by itself: npm run test:qmd.
    exclude: ["**/node_modules/**", "test/qmd/**"],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    testTimeout: 60_000,
  },
});
