import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const FORM = /^([a-z]+)_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/u;

/** A credential: what its owner is given once, and what is kept of it. */
export interface NewSecret {
  readonly id: string;
  /** `<kind>_<id>_<secret>`: shown once. */
  readonly text: string;
  readonly sha256: Buffer;
}

/** The kinds of credentials, by how they begin: personal tokens, login sessions, invitations, links for another device. */
export type SecretKind = "cof" | "cofs" | "cofi" | "cofd";

export function newId(): string {
  return randomBytes(ID_BYTES).toString("hex");
}

export function newSecret(kind: SecretKind): NewSecret {
  const id = newId();
  const text = `${kind}_${id}_${randomBytes(SECRET_BYTES).toString("base64url")}`;
  return { id, text, sha256: sha256(text) };
}

/** The id in a credential of a kind; null when it is not one. */
export function secretId(kind: SecretKind, text: string): string | null {
  const [, begins, id] = FORM.exec(text) ?? [];
  return begins === kind ? (id ?? null) : null;
}

export function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Compares without telling by its time how much is right. */
export function isSecret(text: string, kept: unknown): boolean {
  return Buffer.isBuffer(kept) && kept.length === 32 && timingSafeEqual(sha256(text), kept);
}
