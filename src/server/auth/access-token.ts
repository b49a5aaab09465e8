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

const BYTES = 32;
const MADE_HERE = /^[\w-]{43}$/u;
/** What a header can carry. */
const SENDABLE = /^[\u0021-\u007e]+$/u;
/** For a token that other machines may try to guess. */
const LEAST = 16;

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
  if (explicit === undefined || (!isLoopback(host) && explicit.length < LEAST)) {
    throw new ExpectedError(
      "invalid_argument",
      `Listening on ${host} lets other machines in: choose a token of ${LEAST} characters or more, with COFFRE_TOKEN or --token.`,
    );
  }
  if (SENDABLE.test(explicit)) return explicit;
  throw new ExpectedError(
    "invalid_argument",
    "The token has characters that a header cannot carry; use letters, digits and punctuation without accents or spaces.",
  );
}

/** The token of a vault, made when it has none. It stays the same, so that browsers and scripts are let in after a restart too. */
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
    if (MADE_HERE.test(token)) return token;
    throw new ExpectedError(
      "unavailable",
      `${file} does not hold a token of coffre. Remove it; a new one is made.`,
    );
  } finally {
    closeSync(fd);
  }
}

/** What others can read, they may have read: it is not mended in silence. */
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
  const token = randomBytes(BYTES).toString("base64url");
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // Under its name only when it is whole.
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${token}\n`, { flag: "wx", mode: 0o600 });
  renameSync(`${file}.new`, file);
  return token;
}
