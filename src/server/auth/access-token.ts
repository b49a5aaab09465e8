import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { errnoOf, ExpectedError, explainErrno } from "../../errors.ts";
import { isLoopback } from "../http/tcp-address.ts";

const TOKEN_BYTES = 32;
const GENERATED = /^[\w-]{43}$/u;
/** Characters that a header can carry. */
const SENDABLE = /^[\u0021-\u007e]+$/u;
/** Characters of a token that other machines may try to guess. */
const MIN_LENGTH = 16;

export interface TokenOptions {
  readonly state: string;
  /** What the server listens on. */
  readonly host: string;
  /** Chosen by the person who starts the service. */
  readonly explicit: string | undefined;
}

/** The token that callers over TCP must show: the one chosen, else the one of this vault. */
export function accessToken({ state, host, explicit }: TokenOptions): string {
  if (explicit === undefined && isLoopback(host)) return vaultToken(state);
  if (explicit === undefined || (!isLoopback(host) && explicit.length < MIN_LENGTH)) {
    throw new ExpectedError(
      "invalid_argument",
      `Listening on ${host} lets other machines connect: choose a token of ${MIN_LENGTH} characters or more, with COFFRE_TOKEN or --token.`,
    );
  }
  if (SENDABLE.test(explicit)) return explicit;
  throw new ExpectedError(
    "invalid_argument",
    "The token has characters that a header cannot carry; use letters, digits and punctuation without accents or spaces.",
  );
}

/** The token of a vault, created when it has none. It stays the same, so that browsers and scripts work after a restart too. */
export function vaultToken(state: string): string {
  const file = path.join(state, "token");
  try {
    return readToken(file) ?? makeToken(file);
  } catch (error) {
    throw explainErrno(error, file);
  }
}

/** Null when there is none. */
function readToken(file: string): string | null {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
  try {
    refuseShared(file, fd);
    const token = readFileSync(fd, "utf8").trim();
    if (GENERATED.test(token)) return token;
    throw new ExpectedError(
      "unavailable",
      `${file} does not hold a token of coffre. Remove it; a new one is made.`,
    );
  } finally {
    closeSync(fd);
  }
}

/** Others may have read it already, so changing its mode would not make it safe. */
function refuseShared(file: string, fd: number): void {
  if (process.platform === "win32") return;
  const { mode, uid } = fstatSync(fd);
  if ((mode & 0o077) === 0 && uid === process.geteuid?.()) return;
  const shown = (mode & 0o777).toString(8);
  throw new ExpectedError(
    "no_permission",
    `The token in ${file} is not this user's alone (mode ${shown}), so others may know it. Remove it; a new one is made.`,
  );
}

function makeToken(file: string): string {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Renamed when complete, so that no other process reads half of it, and none finds it empty after a power cut.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${token}\n`, { flag: "wx", mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return token;
}
