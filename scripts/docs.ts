/** `npm run docs`: writes docs/tools.md from the tools themselves. */
import { writeFileSync } from "node:fs";
import path from "node:path";

import { toolsReference } from "./tools-reference.ts";

const file = path.join(import.meta.dirname, "..", "docs", "tools.md");
writeFileSync(file, toolsReference());
console.log(`Wrote ${path.relative(process.cwd(), file)}`);
