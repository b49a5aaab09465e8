import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** How long a login link is valid. */
export const CODE_MINUTES = 10;
/** Links that are valid at once; beyond, the oldest is dropped. */
const MAX_CODES = 100;

interface Code {
  readonly digest: Buffer;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** What gives access: the token, the cookie that stands for it, or a code that was not used yet. */
export class Access {
  readonly #token: Buffer;
  readonly #cookieDigest: Buffer;
  readonly #now: () => Date;
  #codes: Code[] = [];
  /** What a browser sends instead of the token, which cannot be derived from it. */
  readonly cookie: string;

  constructor(token: string, now: () => Date) {
    this.#token = digestOf(token);
    this.cookie = createHmac("sha256", token).update("coffre cookie").digest("base64url");
    this.#cookieDigest = digestOf(this.cookie);
    this.#now = now;
  }

  /** 32 bytes that every process with the same token has, another for each purpose. */
  keyFor(purpose: string): Buffer {
    return createHmac("sha256", this.#token).update(purpose).digest();
  }

  isToken(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.#token);
  }

  isCookie(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.#cookieDigest);
  }

  /** A code that logs one visitor in, once, within {@link CODE_MINUTES}. */
  newCode(): string {
    const code = randomBytes(32).toString("base64url");
    const until = this.#now().getTime() + CODE_MINUTES * 60_000;
    this.#codes = [...this.#codes, { digest: digestOf(code), until }].slice(-MAX_CODES);
    return code;
  }

  /** Whether this code is valid; it is used up by this call. */
  useCode(given: string): boolean {
    const digest = digestOf(given);
    const now = this.#now().getTime();
    const valid = this.#codes.filter(({ until }) => now < until);
    this.#codes = valid.filter((code) => !timingSafeEqual(code.digest, digest));
    return this.#codes.length < valid.length;
  }
}

/** Digests have equal length, so they can be compared in constant time. */
function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
