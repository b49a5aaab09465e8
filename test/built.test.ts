import { execFile } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { expect, it } from "vitest";

import { temporaryFolder } from "../src/testing/temporary-vault.ts";

const ROOT = path.join(import.meta.dirname, "..");
const run = promisify(execFile);

it("the build finds its own worker", async () => {
  const folder = temporaryFolder();
  const tsc = path.join(ROOT, "node_modules", "typescript", "bin", "tsc");
  await run(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", folder], {
    cwd: ROOT,
  });
  writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  writeFileSync(
    path.join(folder, "scan.js"),
    `import { VectorScan } from "./index/deep/vectors/vector-scan.js";
     const matrix = new SharedArrayBuffer(16);
     new Float32Array(matrix).set([1, 0, 0, 1]);
     const scan = new VectorScan();
     const query = Float32Array.of(0, 1);
     const { places } = await scan.nearest({ matrix, dimensions: 2, query, rows: Uint32Array.of(0, 1), most: 1 });
     console.log("nearest", places[0]);`,
  );
  const { stdout } = await run(process.execPath, [path.join(folder, "scan.js")]);
  expect(stdout).toBe("nearest 1\n");
});
