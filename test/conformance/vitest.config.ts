import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/conformance/*.test.ts"],
    pool: "forks",
    testTimeout: 180_000,
  },
});
