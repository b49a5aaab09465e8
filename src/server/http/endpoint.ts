import { createHash, randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";

/** Systems accept 104 to 108 bytes, and cut longer ones silently. */
const MAX_SOCKET_PATH = 100;

/**
 * Where the owner of a vault listens: a socket in a folder that only this user can enter, or a named pipe on Windows. A socket
 * left by a killed owner is removed, so only the owner may call this.
 * @param temporary where a socket goes whose path in the state folder would be too long
 */
export function prepareEndpoint(state: string, temporary = tmpdir()): string {
  const id = createHash("sha256").update(state).digest("hex").slice(0, 16);
  if (process.platform === "win32") {
    return `\\\\.\\pipe\\coffre-${id}-${randomBytes(8).toString("hex")}`;
  }
  const socket = [
    path.join(state, "run", "coffre.sock"),
    path.join(temporary, `coffre-${process.geteuid?.()}`, `${id}.sock`),
  ].find((place) => Buffer.byteLength(place) <= MAX_SOCKET_PATH);
  if (socket === undefined) {
    throw new ExpectedError(
      "unavailable",
      `Both the state folder ${state} and the temporary folder ${temporary} have too long a path for a socket; give a shorter one with --state.`,
    );
  }
  makePrivate(path.dirname(socket));
  try {
    rmSync(socket, { force: true });
  } catch (error) {
    throw explainErrno(error, socket);
  }
  return socket;
}

/** Called when the server listens. Until then the mode of its folder keeps others out. */
export function guardEndpoint(endpoint: string): void {
  if (process.platform !== "win32") chmodSync(endpoint, 0o600);
}

/** In a shared temporary folder another user may have made it first: then it is refused. */
function makePrivate(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw explainErrno(error, folder);
  }
  const stat = lstatSync(folder);
  const isPrivate = stat.isDirectory() && (stat.mode & 0o777) === 0o700;
  if (isPrivate && stat.uid === process.geteuid?.()) return;
  throw new ExpectedError(
    "no_permission",
    `${folder} is not a folder of this user alone (mode 700), so nothing can listen there safely. Remove it; a new one is made.`,
  );
}
