import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** Runs a client in the home of a person, and gives all that it prints. */
export async function printed(
  home: string,
  [program = "", ...argv]: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const usual = `${path.dirname(process.execPath)}:/usr/bin:/bin`;
  const env = { PATH: usual, HOME: home, NO_COLOR: "1", ...environment };
  const running = promisify(execFile)(program, argv, { cwd: home, env, timeout: 120_000 });
  // Some wait for what is typed.
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  return stdout + stderr;
}
