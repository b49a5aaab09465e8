import { churner, randomFrom } from "./random-operations.ts";

/* Changes a vault at random, as fast as it can. Arguments: its root, a seed, how many changes. */
const [root = "", seed = "", count = ""] = process.argv.slice(2);
const change = churner(root, randomFrom(Number(seed)));
for (let done = 0; done < Number(count); done += 1) change();
