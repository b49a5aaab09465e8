import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They install what they need: npm run test:inspector, test:ingest, test:qmd.
    exclude: [...configDefaults.exclude, "test/inspector/**", "test/ingest/**", "test/qmd/**"],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    testTimeout: 60_000,
  },
});
