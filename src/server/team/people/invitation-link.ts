const IN_TEXT = /cofi_[0-9a-f]{16}_[A-Za-z0-9_-]{43}/u;

/** The link that an invitation is sent as. @param base the address of the service */
export function invitationLink(base: string, secret: string): string {
  return `${base.replace(/\/$/u, "")}/invite?code=${secret}`;
}

/** The secret in a link, or in what somebody pasted of it; null when there is none. */
export function invitationIn(text: string): string | null {
  return IN_TEXT.exec(text)?.[0] ?? null;
}
