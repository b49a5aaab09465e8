import { EventEmitter } from "node:events";

import { explainPostgres } from "./explain-postgres.ts";
import { loadPg } from "./load-pg.ts";

/** All that replicas tell each other goes through one channel. */
const CHANNEL = "coffre";
/** Milliseconds between two attempts to connect. */
const RETRY = 500;
/** Milliseconds between two looks at whether the connection still answers. */
const CHECK = 10_000;
/** Milliseconds to connect, and to answer a check. */
const TIMEOUT = 10_000;

const KINDS = ["change", "update", "settings", "presence", "rights", "steps"] as const;

/** What is told: of which vault, and about what. */
export interface Notice {
  readonly vault: number;
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
}

/** The statement that tells; within a transaction it is told when that is committed, and not at all when it is not. */
export const NOTIFY = `SELECT pg_notify('${CHANNEL}', $1)`;

export function noticeText({ vault, kind, text }: Notice): string {
  return `${kind} ${vault} ${text}`;
}

interface ListeningClient {
  connect(): Promise<unknown>;
  query(sql: string): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "end", listener: () => void): unknown;
  on(event: "notification", listener: (message: { payload?: string | undefined }) => void): unknown;
  end(): Promise<void>;
}

/**
 * Hears what replicas tell each other, on a connection of its own, which is made again when it is lost. What was told meanwhile is lost too:
 * those who follow are told to look for themselves.
 */
export class Notices {
  readonly #url: string;
  readonly #emitter = new EventEmitter<{ notice: [Notice]; again: [] }>().setMaxListeners(0);
  #client: ListeningClient | null = null;
  #timer: NodeJS.Timeout | null = null;
  #check: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves when it listens. Throws when it cannot the first time. */
  async start(): Promise<void> {
    await this.#connect();
    this.#check = setInterval(() => void this.#ping(), CHECK);
    this.#check.unref();
  }

  /** Whether it listens at present. */
  get isListening(): boolean {
    return this.#client !== null;
  }

  /** Calls `listener` with every notice of a vault, until the function it returns is called. */
  follow(vault: number, listener: (notice: Notice) => void): () => void {
    const own = (notice: Notice): void => {
      if (notice.vault === vault) listener(notice);
    };
    this.#emitter.on("notice", own);
    return () => void this.#emitter.off("notice", own);
  }

  /** Calls `listener` after the connection was lost and made again. */
  onAgain(listener: () => void): () => void {
    const own = (): void => listener();
    this.#emitter.on("again", own);
    return () => void this.#emitter.off("again", own);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#check !== null) clearInterval(this.#check);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  async #connect(): Promise<void> {
    const { Client } = await loadPg();
    const client: ListeningClient = new Client({
      connectionString: this.#url,
      application_name: "coffre notices",
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
      keepAlive: true,
    });
    // Without a listener, a lost connection would end the process.
    client.on("error", () => this.#lost(client));
    client.on("end", () => this.#lost(client));
    client.on("notification", ({ payload = "" }) => this.#hear(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      await client.end().catch(() => {});
      throw explainPostgres(error);
    }
    if (this.#isClosed) await client.end().catch(() => {});
    else this.#client = client;
  }

  /** A connection can be dead without a word: a machine that lost its power says nothing. */
  async #ping(): Promise<void> {
    const client = this.#client;
    try {
      await client?.query("SELECT 1");
    } catch {
      if (client !== null) this.#lost(client);
    }
  }

  #lost(client: ListeningClient): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#connect().then(
        () => void this.#emitter.emit("again"),
        () => this.#reconnect(),
      );
    }, RETRY);
    this.#timer.unref();
  }

  #hear(payload: string): void {
    const [, kind, vault = "", text = ""] = /^(\w+) (\d+) (.*)$/su.exec(payload) ?? [];
    if (!isKind(kind)) return;
    this.#emitter.emit("notice", { kind, vault: Number(vault), text });
  }
}

function isKind(text: string | undefined): text is Notice["kind"] {
  return KINDS.some((kind) => kind === text);
}
