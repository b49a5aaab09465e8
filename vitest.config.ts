import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // They need programs that not every machine has: npm run test:ingest.
    exclude: ["test/ingest/**", "node_modules/**"],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    testTimeout: 60_000,
  },
});
