import { ExpectedError, type ErrorCode, errnoOf, messageOf } from "../../errors.ts";

/** By the first two characters of an error code of PostgreSQL, or all five. */
const BY_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  "08": ["unavailable", "The connection to the database was lost. Nothing was changed; try again"],
  "22021": ["invalid_argument", "A text has a NUL character, which the database cannot keep"],
  "25P03": ["busy", "The change took too long and was given up. Nothing was changed; try again"],
  "40": ["busy", "The database is busy with other changes. Nothing was changed; try again"],
  "53100": ["disk_full", "The disk of the database is full. Nothing was changed; free some space"],
  "53": ["busy", "The database has too much to do. Nothing was changed; try again"],
  "55P03": ["busy", "Somebody else is changing this vault. Nothing was changed; try again"],
  "57014": ["busy", "The database took too long and the call was given up. Nothing was changed"],
  "57P": ["unavailable", "The database is stopping or starting. Nothing was changed; try again"],
  "28": ["unavailable", "The database refuses this user or password"],
  "3D": ["unavailable", "The database does not exist"],
};

const SYSTEM = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "ENOTFOUND"]);
/** What the driver says without a code. */
const LOST = /^(?:Connection terminated|Client has encountered a connection error)/u;
const NO_CONNECTION = /^timeout exceeded when trying to connect/u;

/** Whether an error says that its connection is gone: it must not be used again, and whether a commit was made is not known. */
export function isLost(error: unknown): boolean {
  const code = errnoOf(error) ?? "";
  const isClosed = code.startsWith("08") || code.startsWith("57P") || code === "25P03";
  return isClosed || SYSTEM.has(code) || (error instanceof Error && LOST.test(error.message));
}

/** Whether a refusal was made because the database was away: what was asked for can be asked again when it is back. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof ExpectedError) || error.code !== "unavailable") return false;
  for (let cause = error.cause; cause instanceof Error; cause = cause.cause)
    if (isLost(cause)) return true;
  return false;
}

/** A refusal that has nothing to do with what was asked for: somebody else had what it needs. */
export class BusyError extends ExpectedError {
  constructor(message: string, options?: ErrorOptions) {
    super("busy", message, options);
  }
}

/** Whether a refusal ends by itself, because the database was away or too busy: what was asked for can be asked again. */
export function isPassing(error: unknown): boolean {
  return error instanceof BusyError || isAway(error);
}

/** Turns what PostgreSQL or its driver reports into an {@link ExpectedError}; anything unknown is returned as it is. */
export function explainPostgres(error: unknown): unknown {
  if (error instanceof ExpectedError) return error;
  const code = errnoOf(error) ?? "";
  const known = BY_CODE[code] ?? BY_CODE[code.slice(0, 3)] ?? BY_CODE[code.slice(0, 2)];
  if (known !== undefined && !SYSTEM.has(code)) {
    const [kind, text] = known;
    if (kind === "busy") return new BusyError(`${text}.`, { cause: error });
    return new ExpectedError(kind, `${text}.`, { cause: error });
  }
  if (SYSTEM.has(code))
    return new ExpectedError(
      "unavailable",
      `The database cannot be reached (${code}). Nothing was changed; try again.`,
      { cause: error },
    );
  const message = messageOf(error);
  if (LOST.test(message)) return lost(error);
  if (!NO_CONNECTION.test(message)) return error;
  return new BusyError(
    "All connections to the database are in use. Nothing was changed; try again.",
    { cause: error },
  );
}

function lost(cause: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    "The connection to the database was lost. Nothing was changed; try again.",
    { cause },
  );
}

/** For a connection that was lost while a change was being committed. */
export function uncertainCommit(cause: unknown): ExpectedError {
  return new ExpectedError(
    "unavailable",
    "The connection to the database was lost at the last moment: the change may have been made. Read it again before you repeat it.",
    { cause },
  );
}

/** For a transaction of which PostgreSQL kept nothing, because a statement in it failed. */
export function rolledBack(): ExpectedError {
  return new ExpectedError(
    "unavailable",
    "The database gave up the change. Nothing was changed; try again.",
  );
}
