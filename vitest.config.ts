import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,web}/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    // Suites of their own, which take long or install what they need: npm run test:chaos, test:inspector, test:ingest, test:package,
    // test:qmd, test:browser.
    exclude: [
      ...configDefaults.exclude,
      "test/chaos/**",
      "test/inspector/**",
      "test/ingest/**",
      "test/package/**",
      "test/qmd/**",
      "test/browser/**",
    ],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    testTimeout: 60_000,
  },
});
