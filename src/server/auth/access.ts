import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a link lets its first visitor in. */
export const CODE_MINUTES = 10;
/** More links than these at once are not waiting to be opened: the oldest is forgotten. */
const MOST_CODES = 100;

interface Code {
  readonly digest: Buffer;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Who is let in: whoever shows the token, the cookie that stands for it, or a code that nobody has used yet. */
export class Access {
  readonly #token: Buffer;
  readonly #cookieDigest: Buffer;
  readonly #now: () => Date;
  #codes: Code[] = [];
  /** What a browser shows in place of the token. From the cookie the token, which may be used elsewhere, cannot be told. */
  readonly cookie: string;

  constructor(token: string, now: () => Date) {
    this.#token = digestOf(token);
    this.cookie = createHmac("sha256", token).update("coffre cookie").digest("base64url");
    this.#cookieDigest = digestOf(this.cookie);
    this.#now = now;
  }

  isToken(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.#token);
  }

  isCookie(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.#cookieDigest);
  }

  /** A code that lets one visitor in, once, within {@link CODE_MINUTES}. */
  newCode(): string {
    const code = randomBytes(32).toString("base64url");
    const until = this.#now().getTime() + CODE_MINUTES * 60_000;
    this.#codes = [...this.#codes, { digest: digestOf(code), until }].slice(-MOST_CODES);
    return code;
  }

  /** Whether this code lets in. From then on it does not. */
  useCode(given: string): boolean {
    const digest = digestOf(given);
    const now = this.#now().getTime();
    const valid = this.#codes.filter(({ until }) => now < until);
    this.#codes = valid.filter((code) => !timingSafeEqual(code.digest, digest));
    return this.#codes.length < valid.length;
  }
}

/** Of equal length whatever was given, and nothing can be learnt from how long comparing two takes. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
