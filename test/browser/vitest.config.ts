import path from "node:path";

import { defineConfig } from "vitest/config";

import { secondTries } from "../second-tries.ts";

export default defineConfig({
  test: {
    ...secondTries,
    root: path.join(import.meta.dirname, "..", ".."),
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A busy machine takes longer than the one second that is usual.
    expect: { poll: { timeout: 20_000 } },
    // One browser at a time: two would fight for the machine, and the screenshots show it.
    fileParallelism: false,
  },
});
