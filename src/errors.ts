/** What went wrong, each with its HTTP status. */
export const STATUS_OF = {
  already_exists: 409,
  ambiguous: 409,
  busy: 503,
  conflict: 409,
  disk_full: 507,
  invalid_argument: 400,
  no_match: 422,
  no_permission: 403,
  not_a_file: 400,
  not_a_folder: 400,
  not_found: 404,
  not_text: 422,
  outside_vault: 400,
  protected: 403,
  too_large: 413,
  unavailable: 503,
  unknown_tool: 404,
} as const;

/** What went wrong, for programs. The message beside it is for people and models. */
export type ErrorCode = keyof typeof STATUS_OF;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS_OF, code);
}

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

/** What was asked for; null when it is refused, as what is not there or no text. */
export async function nullIfRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
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
  ESTALE: ["unavailable", "cannot be read: the disk reports an error"],
};

/** Turns a system error about `shown` into an {@link ExpectedError}; anything unknown is returned as it is. */
export function explainErrno(error: unknown, shown: string): unknown {
  const known = byErrno[errnoOf(error) ?? ""];
  if (known === undefined) return error;
  const [code, text] = known;
  return new ExpectedError(code, `${shown} ${text}.`, { cause: error });
}

/** What a disk says of itself, and of no one file: none of it is a bug of ours, wherever it comes from. */
const OF_DISK: ReadonlySet<string> = new Set(["EIO", "ESTALE", "EMFILE", "ENFILE"]);

/** A failure of the disk that nobody explained on its way, as a refusal; null for any other error. */
export function diskFailure(error: unknown): ExpectedError | null {
  const code = errnoOf(error);
  if (code === null || !OF_DISK.has(code)) return null;
  const explained = explainErrno(error, "A file");
  return explained instanceof ExpectedError ? explained : null;
}

/** For a person: what went wrong. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
