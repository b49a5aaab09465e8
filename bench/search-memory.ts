/**
 * A process of its own, for its memory: makes the first index of a vault on disk, searches, and prints the most memory it ever
 * held, in KiB: `node bench/search-memory.ts ROOT STATE QUERY...`. Without words it only loads the code.
 */
import { requestFor } from "./search-queries.ts";
import { indexFiles } from "./vault-on-disk.ts";

const [root, state, ...queries] = process.argv.slice(2);
if (root !== undefined && state !== undefined) {
  const index = await indexFiles(root, state);
  for (const query of queries) await index.search(requestFor(query));
  await index.close();
}
console.log(process.resourceUsage().maxRSS);
