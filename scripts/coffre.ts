/** `npm run coffre`: the command line in the folder that npm was called from, since npm itself changes to this one. */
import { callersFolder } from "../src/config.ts";

process.chdir(callersFolder());
await import("../src/cli/main.ts");
