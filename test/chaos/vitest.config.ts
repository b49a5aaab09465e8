import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["test/{chaos,faults}/*.test.ts"], testTimeout: 600_000 },
});
