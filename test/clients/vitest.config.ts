import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/clients/*.test.ts"],
    pool: "forks",
    testTimeout: 180_000,
  },
});
