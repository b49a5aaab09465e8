import { defineConfig } from "vitest/config";

import { secondTries } from "../second-tries.ts";

export default defineConfig({
  test: {
    ...secondTries,
    include: ["test/conformance/*.test.ts"],
    pool: "forks",
    testTimeout: 180_000,
  },
});
