import { BASES, DRAFTS, draftKeys, SENT } from "./draft-keys.ts";

/** What a person wrote that the service has not got yet. */
export interface Draft {
  /** The version it was written on, with its text; null for a note that is not there yet. */
  readonly base: { readonly version: string; readonly body: string } | null;
  readonly body: string;
  /** Texts that were sent and not answered: what the vault has may be one of them. */
  readonly sent?: readonly string[];
}

/** Of the text that a keystroke writes: the version it was written on, then the text itself. */
const FORM = /^1 (\S+)\n/u;
const NO_BASE = "-";

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * Drafts of notes, kept in the browser: they survive a reload and a service that is away. Each tab has its own. The text that it was made from,
 * and what was sent, have keys of their own, so that a keystroke writes the present text only.
 */
export class Drafts {
  readonly #storage: Storage;
  readonly #tab: string;
  /** What is stored of the texts that were sent, by path. */
  readonly #sent = new Map<string, readonly string[]>();

  constructor(storage: Storage, tab: string) {
    this.#storage = storage;
    this.#tab = tab;
  }

  /** Whether this tab has one. */
  has(path: string): boolean {
    return this.#storage.getItem(keyOf(this.#tab, path)) !== null;
  }

  /** False when the browser has no room for it, even without the texts that were sent. */
  put(path: string, draft: Draft): boolean {
    if (!this.#write(path, draft)) {
      this.#putSent(path, []);
      return this.#write(path, draft);
    }
    this.#putSent(path, draft.sent ?? []);
    return true;
  }

  #write(path: string, { base, body }: Draft): boolean {
    const key = keyOf(this.#tab, path);
    const before = versionIn(this.#storage.getItem(key));
    const version = base?.version ?? NO_BASE;
    const baseKey = baseKeyOf(this.#tab, version, path);
    const isNewBase = base !== null && this.#storage.getItem(baseKey) === null;
    try {
      // The text names the base it needs: whenever this ends, the two that are there belong together.
      if (isNewBase) this.#storage.setItem(baseKey, base.body);
      this.#storage.setItem(key, `1 ${version}\n${body}`);
    } catch {
      if (isNewBase) this.#storage.removeItem(baseKey);
      return false;
    }
    if (before !== null && before !== version)
      this.#storage.removeItem(baseKeyOf(this.#tab, before, path));
    return true;
  }

  #putSent(path: string, sent: readonly string[]): void {
    const known = this.#sent.get(path);
    if (known === sent || (known === undefined && sent.length === 0)) return;
    const key = SENT + suffixOf(this.#tab, path);
    this.#sent.delete(path);
    this.#storage.removeItem(key);
    if (sent.length === 0) return;
    try {
      this.#storage.setItem(key, JSON.stringify(sent));
      this.#sent.set(path, sent);
    } catch {
      // Without room for them, one's own text may look like somebody else's: it is shown, and nothing is lost.
    }
  }

  remove(path: string): void {
    this.#sent.delete(path);
    this.#removeOf(this.#tab, path);
  }

  #removeOf(tab: string, path: string): void {
    const key = keyOf(tab, path);
    const version = versionIn(this.#storage.getItem(key));
    this.#storage.removeItem(key);
    this.#storage.removeItem(SENT + suffixOf(tab, path));
    if (version !== null) this.#storage.removeItem(baseKeyOf(tab, version, path));
  }

  /**
   * The draft of this tab, or one that another tab left behind, which becomes this one's.
   * @param isOpen whether another tab is still open
   */
  take(path: string, isOpen: (tab: string) => boolean): Draft | null {
    const own = this.#read(this.#tab, path);
    if (own !== null) return own;
    for (const other of draftKeys(this.#storage)) {
      if (other.path !== path || other.tab === this.#tab || isOpen(other.tab)) continue;
      const left = this.#read(other.tab, path);
      if (left === null) {
        this.#removeOf(other.tab, path);
        continue;
      }
      // Where there is room for one only, it is moved.
      const isCopied = this.put(path, left);
      this.#removeOf(other.tab, path);
      if (!isCopied) this.put(path, left);
      return left;
    }
    return null;
  }

  /** The notes with drafts of this tab, and of those that are not open any more. */
  left(isOpen: (tab: string) => boolean): string[] {
    const keys = draftKeys(this.#storage).filter(({ tab }) => tab === this.#tab || !isOpen(tab));
    return [...new Set(keys.map(({ path }) => path))];
  }

  #read(tab: string, path: string): Draft | null {
    const text = this.#storage.getItem(keyOf(tab, path));
    const version = versionIn(text);
    if (text === null) return null;
    if (version === null) return olderDraft(text);
    const body = text.slice(text.indexOf("\n") + 1);
    const baseText = this.#storage.getItem(baseKeyOf(tab, version, path));
    const sent = textsIn(this.#storage.getItem(SENT + suffixOf(tab, path)));
    const base = baseText === null ? null : { version, body: baseText };
    return { base, body, ...(sent.length === 0 ? {} : { sent }) };
  }
}

function suffixOf(tab: string, path: string): string {
  return `${tab} ${path}`;
}

function keyOf(tab: string, path: string): string {
  return DRAFTS + suffixOf(tab, path);
}

function baseKeyOf(tab: string, version: string, path: string): string {
  return `${BASES}${tab} ${version} ${path}`;
}

function versionIn(text: string | null): string | null {
  return FORM.exec(text ?? "")?.[1] ?? null;
}

function textsIn(json: string | null): string[] {
  const found = parsed(json ?? "[]");
  return Array.isArray(found) && found.every((text) => typeof text === "string") ? found : [];
}

/** All of it in one JSON, as it was kept before. */
function olderDraft(json: string): Draft | null {
  const found = parsed(json);
  return isDraft(found) ? found : null;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null || !("body" in value) || !("base" in value))
    return false;
  const { body, base } = value;
  const isBase =
    base === null ||
    (typeof base === "object" &&
      "version" in base &&
      typeof base.version === "string" &&
      "body" in base &&
      typeof base.body === "string");
  const isSent =
    !("sent" in value) ||
    (Array.isArray(value.sent) && value.sent.every((text) => typeof text === "string"));
  return typeof body === "string" && isBase && isSent;
}
