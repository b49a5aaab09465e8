/**
 * Run before every test file: what is waited for may take as long as a busy machine needs, since no clock decides a test.
 * In CI property tests use one seed, so that the same commit gives the same result; everywhere else each run tries new values.
 */
import { vi } from "vitest";

const PATIENCE = { timeout: 20_000, interval: 20 };

const { waitFor } = vi;
vi.waitFor = async (condition, options) => waitFor(condition, options ?? PATIENCE);

if (process.env["CI"] !== undefined) {
  const { configureGlobal } = await import("fast-check");
  configureGlobal({ seed: 20_261_118 });
}
