import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

import { RunEvent } from "../agents/contract.ts";
import { MOST_TOLD, OwnRunSteps, type RunSteps, type Told } from "../agents/run-steps.ts";
import { NOTIFY, noticeText, type Notices } from "../storage/postgres/notices.ts";
import type { Postgres } from "../storage/postgres/postgres.ts";

/** Milliseconds for which steps are gathered: a model answers in pieces of some letters. */
const GATHER = 200;
/** Milliseconds that the steps of a run stay after its end, for those who are just reading them. */
const KEEP = 5000;

export interface TeamStepsOptions {
  readonly database: Postgres;
  /** The id of the vault's row. */
  readonly vault: number;
  readonly notices: Pick<Notices, "follow">;
}

/** How far somebody has followed an update. */
interface Followed {
  isOver: boolean;
  last: number;
}

/** The steps of the runs of one vault, whichever replica runs them. They are only shown: what the database does not take is not told elsewhere. */
export class TeamSteps implements RunSteps {
  readonly #options: TeamStepsOptions;
  readonly #runner = randomUUID();
  readonly #own = new OwnRunSteps();
  /** What was not yet written, by the id of the update. */
  readonly #waiting = new Map<string, Told[]>();
  /** What is written is written in its order. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(options: TeamStepsOptions) {
    this.#options = options;
  }

  begin(id: string): void {
    this.#own.begin(id);
    // Of an attempt that was cut off.
    this.#inTurn(async () => this.#remove(id));
  }

  tell(id: string, told: Told): void {
    this.#own.tell(id, told);
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) {
      waiting.push(told);
      if (waiting.length > MOST_TOLD) waiting.shift();
      return;
    }
    this.#waiting.set(id, [told]);
    this.#inTurn(async () => {
      if (this.#own.has(id)) await this.#pause(GATHER);
      await this.#write(id);
    });
  }

  end(id: string): void {
    this.#own.end(id);
    this.#inTurn(async () => this.#write(id));
    void this.#pause(KEEP).then(() => this.#inTurn(async () => this.#remove(id)));
  }

  follow(id: string, listener: (told: Told) => void): () => void {
    const { notices, vault } = this.#options;
    const stopOwn = this.#own.follow(id, listener);
    const followed = { isOver: false, last: 0 };
    let reading: Promise<void> = Promise.resolve();
    const read = (): void => {
      reading = reading.then(async () => this.#readOn(id, followed, listener)).catch(() => {});
    };
    const unfollow = notices.follow(vault, ({ kind, text }) => {
      if (kind === "steps" && text === id) read();
    });
    read();
    return () => {
      followed.isOver = true;
      stopOwn();
      unfollow();
    };
  }

  async #readOn(id: string, followed: Followed, listener: (told: Told) => void): Promise<void> {
    for (const { at, told } of await this.#after(id, followed.last)) {
      followed.last = at;
      if (!followed.isOver) listener(told);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#last;
  }

  #inTurn(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch(() => {});
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#closing;
    await pause(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }

  async #write(id: string): Promise<void> {
    const told = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    if (told.length === 0) return;
    const { database, vault } = this.#options;
    await database.transaction(async () => {
      await database.execute(
        "INSERT INTO update_steps (vault, of_update, runner, event, rights) SELECT $1, $2, $5, event, rights FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS t (event, rights, n) ORDER BY n",
        [
          vault,
          id,
          told.map(({ event }) => JSON.stringify(event)),
          told.map(({ rights }) => rights ?? null),
          this.#runner,
        ],
      );
      await database.query(NOTIFY, [noticeText({ vault, kind: "steps", text: id })]);
    });
  }

  async #remove(id: string): Promise<void> {
    const { database, vault } = this.#options;
    await database.execute("DELETE FROM update_steps WHERE vault = $1 AND of_update = $2", [
      vault,
      id,
    ]);
  }

  /** What other processes told. */
  async #after(id: string, last: number): Promise<{ at: number; told: Told }[]> {
    const { database, vault } = this.#options;
    const rows = await database.query(
      "SELECT id::float8, event, rights FROM update_steps WHERE vault = $1 AND of_update = $2 AND id > $3 AND runner <> $4 ORDER BY id",
      [vault, id, last, this.#runner],
    );
    return rows.map(({ id: at, event, rights }) => ({
      at: Number(at),
      told: {
        event: RunEvent.parse(JSON.parse(String(event))),
        rights: typeof rights === "string" ? rights : undefined,
      },
    }));
  }
}
