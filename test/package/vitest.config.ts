import { defineConfig } from "vitest/config";

import { secondTries } from "../second-tries.ts";

export default defineConfig({
  test: {
    ...secondTries,
    include: ["test/package/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
