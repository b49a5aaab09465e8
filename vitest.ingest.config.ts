import { defineConfig } from "vitest/config";

/** The heavier tests of ingest, which need LibreOffice and espeak-ng: `npm run test:ingest`. */
export default defineConfig({
  test: {
    include: ["test/ingest/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 300_000,
  },
});
