import { defineConfig } from "vitest/config";

/** Team mode on a real PostgreSQL: `npm run test:team`. */
export default defineConfig({
  test: {
    include: ["test/team/**/*.test.ts"],
    globalSetup: ["test/team/start-server.ts"],
    pool: "forks",
    maxWorkers: 2,
    setupFiles: ["test/patience.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
