import { tmpdir } from "node:os";
import path from "node:path";

import { configDefaults, defineConfig } from "vitest/config";

import { secondTries } from "./test/second-tries.ts";

export default defineConfig({
  test: {
    ...secondTries,
    include: ["{src,web}/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    // Suites of their own, which take long or install what they need: npm run test:chaos, test:inspector, test:conformance, test:clients,
    // test:ingest, test:package, test:qmd, test:team, test:browser.
    exclude: [
      ...configDefaults.exclude,
      "test/chaos/**",
      "test/faults/**",
      "test/inspector/**",
      "test/conformance/**",
      "test/clients/**",
      "test/ingest/**",
      "test/package/**",
      "test/qmd/**",
      "test/team/**",
      "test/browser/**",
    ],
    // Some tests take on another user's rights for a moment: that is per process, so not in threads.
    pool: "forks",
    // Processes that tests start and kill register as owners of their vaults here, and not in this person's own folder.
    env: { XDG_STATE_HOME: path.join(tmpdir(), "coffre-test-states") },
    setupFiles: ["test/patience.ts"],
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    // Removing a vault of thousands of files takes long on a busy machine.
    hookTimeout: 60_000,
  },
});
