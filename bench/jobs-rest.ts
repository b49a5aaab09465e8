/**
 * A process of its own, for its memory: runs the service on a vault, lets it come to rest, and prints, as JSON, the memory it holds in
 * bytes and the share of a processor it uses: `node --expose-gc bench/jobs-rest.ts ROOT STATE SECONDS`.
 */
import { setTimeout as wait } from "node:timers/promises";

import { keepYoungMemorySmall } from "../src/cli/system/young-memory.ts";
import { createService } from "../src/compose.ts";

const [root = "", state = "", seconds = "0"] = process.argv.slice(2);
// As `coffre serve` does.
keepYoungMemorySmall();
const service = await createService({ frontmatter: "all", root, state });
await service.settled();
// The index tidies up in the first quiet moments.
await wait(2000);
globalThis.gc?.();
globalThis.gc?.();
const memory = process.memoryUsage.rss();
const before = process.cpuUsage();
const started = performance.now();
await wait(Number(seconds) * 1000);
const { user, system } = process.cpuUsage(before);
const share = (user + system) / 1000 / (performance.now() - started);
console.log(JSON.stringify({ memory, share }));
await service.close();
