import { defineConfig } from "vitest/config";

import { secondTries } from "./test/second-tries.ts";

/** The suite that needs the real QMD: `npm run test:qmd`. */
export default defineConfig({
  test: {
    ...secondTries,
    include: ["test/qmd/**/*.test.ts"],
    pool: "forks",
    // Models are loaded once for a file, by two cores at most.
    fileParallelism: false,
    testTimeout: 120_000,
    setupFiles: ["test/qmd/setup.ts"],
    env: {
      QMD_FORCE_CPU: "1",
      // As many contexts as cores means one thread each: two threads on two busy cores wait for each other.
      QMD_EMBED_PARALLELISM: "8",
    },
  },
});
