import { existsSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { connect } from "../../storage/sqlite.ts";
import { holdsAny, inJson, type Needles } from "../../vault/history/erase-history.ts";

const HOLDS = "(holds(input) OR holds(report) OR holds(error))";

/**
 * Removes the updates of a vault's queue that hold one of these texts.
 * @param isDry only counts them
 * @throws ExpectedError `busy` while one of them runs
 */
export function eraseTasks(state: string, needles: Needles, isDry: boolean): number {
  const file = path.join(state, "queue.sqlite");
  if (!existsSync(file)) return 0;
  const database = connect(file);
  try {
    // They are stored as JSON.
    const isIn = holdsAny(inJson(needles));
    database.function("holds", (stored) =>
      typeof stored === "string" && isIn(Buffer.from(stored)) ? 1 : 0,
    );
    database.exec("PRAGMA secure_delete = ON");
    const running = database
      .prepare(`SELECT 1 FROM tasks WHERE status = 'running' AND ${HOLDS} LIMIT 1`)
      .get();
    if (running !== undefined && !isDry)
      throw new ExpectedError(
        "busy",
        "An update that holds it is being filed now. Try again when it is done; coffre status tells.",
      );
    const found = database.prepare(`SELECT count(*) AS n FROM tasks WHERE ${HOLDS}`).get();
    if (!isDry) database.prepare(`DELETE FROM tasks WHERE ${HOLDS}`).run();
    return Number(found?.["n"]);
  } finally {
    database.close();
  }
}
