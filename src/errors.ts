/** What went wrong, for programs. The message beside it is for people and models. */
export type ErrorCode =
  | "already_exists"
  | "ambiguous"
  | "busy"
  | "conflict"
  | "disk_full"
  | "invalid_argument"
  | "no_match"
  | "no_permission"
  | "not_a_file"
  | "not_a_folder"
  | "not_found"
  | "not_text"
  | "outside_vault"
  | "protected"
  | "too_large"
  | "unavailable"
  | "unknown_tool";

/**
 * An error a caller can act on: the message says what was wrong, the offending value, and what to do next.
 * Anything else that is thrown is a bug and is logged with its stack.
 */
export class ExpectedError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ExpectedError";
    this.code = code;
  }
}

/** The `code` of a Node system error (`ENOENT`, …), or null when it is something else. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

const byErrno: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ["not_found", "does not exist"],
  ENOTDIR: ["not_a_folder", "passes through a file as if it were a folder"],
  EEXIST: ["already_exists", "already exists and is not what was expected there"],
  EISDIR: ["not_a_file", "is a folder, not a file"],
  EACCES: ["no_permission", "cannot be opened: the system denies permission to this user"],
  EPERM: ["no_permission", "cannot be changed: the system denies permission to this user"],
  EROFS: ["no_permission", "cannot be changed: the disk is read-only"],
  ENOSPC: ["disk_full", "was not written: the disk is full. Nothing was changed; free some space"],
  EDQUOT: ["disk_full", "was not written: the disk quota is used up. Nothing was changed"],
  ENAMETOOLONG: ["invalid_argument", "has a name too long for this disk; use a shorter one"],
  ELOOP: ["outside_vault", "is a link that leads back to itself"],
  EMFILE: ["busy", "cannot be opened now: too many files are open; try again"],
  ENFILE: ["busy", "cannot be opened now: too many files are open; try again"],
  EBUSY: ["busy", "is in use by the system (is a disk mounted there?)"],
  EINVAL: ["busy", "keeps changing; try again"],
  ENOTEMPTY: ["busy", "keeps changing; try again"],
  EIO: ["unavailable", "cannot be read: the disk reports an error"],
};

/** Turns a system error about `shown` into an {@link ExpectedError}; anything unknown is returned as it is. */
export function explainErrno(error: unknown, shown: string): unknown {
  const known = byErrno[errnoOf(error) ?? ""];
  if (known === undefined) return error;
  const [code, text] = known;
  return new ExpectedError(code, `${shown} ${text}.`, { cause: error });
}
