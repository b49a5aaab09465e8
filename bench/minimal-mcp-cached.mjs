/** The same with the compile cache of Node, as `coffre mcp` has it: enabled before anything else is loaded. */
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("./minimal-mcp.mjs");
