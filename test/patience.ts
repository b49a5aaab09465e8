/** Run before every test file: what is waited for may take as long as a busy machine needs, since no clock decides a test. */
import { vi } from "vitest";

const PATIENCE = { timeout: 20_000, interval: 20 };

const { waitFor } = vi;
vi.waitFor = async (condition, options) => waitFor(condition, options ?? PATIENCE);
