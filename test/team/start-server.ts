import type { TestProject } from "vitest/node";

import { PostgresServer } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the server's first database. */
    readonly postgres: string;
  }
}

/** One server for all test files, each of which makes a database of its own. What is written need not survive the machine. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = new PostgresServer(["fsync=off", "full_page_writes=off"]);
  await server.start();
  project.provide("postgres", server.url("postgres"));
  return async () => server.remove();
}
