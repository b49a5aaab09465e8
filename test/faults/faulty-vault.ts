import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { onTestFinished } from "vitest";

import { ServiceClient } from "../model/service-client.ts";
import { FaultyDisk } from "./faulty-disk.ts";

/** A vault on a disk that fails when it is told to, and a service on it. @param hasMemory with the queue and previews of updates */
export function faultyVault({ hasMemory = false } = {}): {
  disk: FaultyDisk;
  place: (name: string) => string;
  start: () => Promise<ServiceClient>;
} {
  const scratch = mkdtempSync(path.join(tmpdir(), "coffre-half-"));
  const folder = path.join(scratch, "disk");
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root, { recursive: true });
  const disk = new FaultyDisk(folder, scratch);
  onTestFinished(() => {
    disk.close();
    rmSync(scratch, { recursive: true, force: true });
  });
  const start = async (): Promise<ServiceClient> =>
    ServiceClient.start({ root, state }, { ...process.env, ...disk.environment }, hasMemory);
  return { disk, place: (name) => path.join(root, name), start };
}
