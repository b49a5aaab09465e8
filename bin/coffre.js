// Plain JavaScript: what is loaded before the compile cache is enabled has its types stripped at every start, which takes longer than all the rest.
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("../src/cli/main.ts");
