import { readFileSync } from "node:fs";
import path from "node:path";

import { findOwner } from "../src/jobs/owner/owner-lock.ts";
import { startChild } from "../src/testing/processes/child.ts";

/** Milliseconds until the answers to what is asked at the moment at which `coffre serve` says where it is. */
export interface FirstAnswers {
  /** From the start of the program until then. */
  readonly serving: number;
  readonly tree: number;
  readonly search: number;
  readonly files: number;
  /** What the card of the page asks: it reads every note. */
  readonly adopt: number;
}

/** Starts `coffre serve` on a vault as it is, and asks four things at once. */
export async function firstAnswers(root: string, state: string): Promise<FirstAnswers> {
  const main = new URL("../src/cli/main.ts", import.meta.url);
  const started = performance.now();
  const child = startChild(main, ["serve", "--port", "0", "--vault", root, "--state", state]);
  await child.printed("\n");
  const serving = performance.now() - started;
  const address = findOwner(state)?.address;
  if (address === undefined) throw new Error("the service has no address");
  const token = readFileSync(path.join(state, "token"), "utf8").trim();
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const asked = performance.now();
  const answered = async (where: string, body?: unknown): Promise<number> => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const response = await fetch(new URL(where, address), { headers, ...init });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${where} answered ${response.status}`);
    return performance.now() - asked;
  };
  const [tree, search, files, adopt] = await Promise.all([
    answered("/api/tools/tree?profile=search", { depth: 2 }),
    answered("/api/tools/search?profile=search", { queries: ["le"] }),
    answered("/api/files"),
    answered("/api/adopt"),
  ]);
  child.process.kill("SIGTERM");
  await child.finished();
  return { serving, tree, search, files, adopt };
}
