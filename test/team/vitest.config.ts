import { defineConfig } from "vitest/config";

import { secondTries } from "../second-tries.ts";

/** Team mode on a real PostgreSQL: `npm run test:team`. */
export default defineConfig({
  test: {
    ...secondTries,
    include: ["test/team/**/*.test.ts"],
    globalSetup: ["test/team/start-server.ts"],
    pool: "forks",
    maxWorkers: 2,
    setupFiles: ["test/patience.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
