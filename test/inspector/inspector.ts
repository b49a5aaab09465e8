import { spawn } from "node:child_process";
import path from "node:path";

import { z } from "zod";

import { temporaryFolder } from "../../src/testing/temporary-vault.ts";

const PROGRAM = path.join(
  import.meta.dirname,
  "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);

const Printed = z.object({ result: z.unknown() });

export interface Inspected {
  /** As the Inspector has it: 0 done, 3 not let in, 5 a tool's refusal, 6 a schema that clients reject. */
  readonly code: number | null;
  /** What the server answered; null when it did not. */
  readonly result: unknown;
  readonly complaint: string;
}

/** Runs the Inspector's command line, in a home folder of its own: it keeps things there. */
export async function inspect(...argv: string[]): Promise<Inspected> {
  const home = temporaryFolder();
  const child = spawn(process.execPath, [PROGRAM, "--cli", "--format", "json", ...argv], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: home,
    env: { PATH: path.dirname(process.execPath), HOME: home, USERPROFILE: home },
  });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject).on("close", resolve);
  const code = await promise;
  const { stdout, stderr } = printed;
  const result = stdout === "" ? null : Printed.parse(JSON.parse(stdout)).result;
  return { code, result, complaint: stderr };
}
