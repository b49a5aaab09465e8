import { defineConfig } from "vitest/config";

import { secondTries } from "../second-tries.ts";

export default defineConfig({
  test: {
    ...secondTries,
    include: ["test/inspector/*.test.ts"],
    pool: "forks",
    testTimeout: 60_000,
  },
});
