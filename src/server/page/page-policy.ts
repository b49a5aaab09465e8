import { randomBytes } from "node:crypto";

export const POLICY_HEADER = "content-security-policy";

/** Where the build leaves room for the nonce. */
const PLACE = "__STYLE_NONCE__";

/**
 * What a browser may do with an answer of ours.
 * @param style which styles it applies besides our own files
 */
export function pagePolicy(style: string): string {
  return `default-src 'none'; script-src 'self'; style-src 'self' ${style}; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; media-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
}

/** The document of the page with a nonce of its own, by which the editor puts its styles into it, and the policy that allows them. */
export function withNonce(document: string): { html: string; policy: string } {
  const nonce = randomBytes(16).toString("base64url");
  return { html: document.replaceAll(PLACE, nonce), policy: pagePolicy(`'nonce-${nonce}'`) };
}
