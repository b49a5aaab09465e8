import type { Postgres } from "./postgres.ts";

/** Runs `work`, which only reads, on the database as it is at one moment, however long it takes and whatever is written meanwhile. */
export async function atOneMoment<T>(database: Postgres, work: () => Promise<T>): Promise<T> {
  return database.transaction(async () => {
    await database.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
    // It holds no lock that anybody waits for, and what it does between two statements may take long.
    await database.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    return work();
  });
}
