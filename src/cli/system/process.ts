import { readFileSync } from "node:fs";

/** The version in `package.json`, which lies as far above the sources as above what is built from them. */
export function packageVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  const facts: unknown = JSON.parse(text);
  const isNamed = typeof facts === "object" && facts !== null && "version" in facts;
  return isNamed ? String(facts.version) : "unknown";
}

/** Resolves at the first request to stop. The second ends the process at once, as it does without us. */
export async function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await promise;
  process.off("SIGINT", stop).off("SIGTERM", stop);
}

/** Milliseconds. Some openers stay as long as the browser does: those that have not failed by then have not failed. */
const PATIENCE = 3000;

/** Opens a link in the person's browser; false when there is none, or it cannot be started. */
export async function openInBrowser(link: string): Promise<boolean> {
  // Loaded when needed: it takes a third of the time of a short command.
  const { spawn } = await import("node:child_process");
  const [program, ...args] = openerOf(link);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  const timer = setTimeout(() => resolve(true), PATIENCE);
  child.on("error", () => resolve(false)).on("exit", (code) => resolve(code === 0));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.unref();
  }
}

function openerOf(link: string): readonly [program: string, ...args: string[]] {
  if (process.platform === "darwin") return ["open", link];
  // `start` belongs to the shell, and takes its first quoted word for a title.
  if (process.platform === "win32") return ["cmd", "/c", "start", '""', link];
  return ["xdg-open", link];
}
