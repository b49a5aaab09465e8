import { keptAs } from "../api/base.ts";

/** What a person wrote that the service has not got yet. */
export interface Draft {
  /** The version it was written on, with its text; null for a note that is not there yet. */
  readonly base: { readonly version: string; readonly body: string } | null;
  readonly body: string;
  /** Texts that were sent and not answered: what the vault has may be one of them. */
  readonly sent?: readonly string[];
}

const PREFIX = keptAs("coffre-draft ");

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/** Drafts of notes, kept in the browser: they survive a reload and a service that is away. Each tab has its own. */
export class Drafts {
  readonly #storage: Storage;
  readonly #tab: string;

  constructor(storage: Storage, tab: string) {
    this.#storage = storage;
    this.#tab = tab;
  }

  #key(path: string): string {
    return `${PREFIX}${this.#tab} ${path}`;
  }

  /** Whether this tab has one. */
  has(path: string): boolean {
    return this.#storage.getItem(this.#key(path)) !== null;
  }

  /** False when the browser has no room for it. */
  put(path: string, draft: Draft): boolean {
    try {
      this.#storage.setItem(this.#key(path), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  remove(path: string): void {
    this.#storage.removeItem(this.#key(path));
  }

  /**
   * The draft of this tab, or one that another tab left behind, which becomes this one's.
   * @param isOpen whether another tab is still open
   */
  take(path: string, isOpen: (tab: string) => boolean): Draft | null {
    const own = this.#read(this.#key(path));
    if (own !== null) return own;
    for (let at = 0; at < this.#storage.length; at += 1) {
      const key = this.#storage.key(at) ?? "";
      const [tab = "", ...rest] = key.startsWith(PREFIX) ? key.slice(PREFIX.length).split(" ") : [];
      if (rest.join(" ") !== path || isOpen(tab)) continue;
      const left = this.#read(key);
      this.#storage.removeItem(key);
      if (left === null) continue;
      this.put(path, left);
      return left;
    }
    return null;
  }

  #read(key: string): Draft | null {
    try {
      const found: unknown = JSON.parse(this.#storage.getItem(key) ?? "null");
      return isDraft(found) ? found : null;
    } catch {
      return null;
    }
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
