import { defineConfig } from "vitest/config";

import { secondTries } from "./test/second-tries.ts";

/** The heavier tests of ingest, which need LibreOffice and espeak-ng: `npm run test:ingest`. */
export default defineConfig({
  test: {
    ...secondTries,
    include: ["test/ingest/**/*.test.ts"],
    pool: "forks",
    setupFiles: ["test/patience.ts"],
    maxWorkers: 2,
    testTimeout: 300_000,
  },
});
