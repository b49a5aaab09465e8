import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Installs what it needs: npm run test:inspector.
    exclude: [...configDefaults.exclude, "test/inspector/**"],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    testTimeout: 60_000,
  },
});
