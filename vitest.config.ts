import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,web}/**/*.test.{ts,tsx}", "test/*.test.ts"],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    testTimeout: 60_000,
  },
});
