import { existsSync } from "node:fs";
import path from "node:path";

import { ExpectedError } from "../../errors.ts";
import { connect } from "../../storage/sqlite.ts";

const HOLDS =
  "(instr(input, ?1) > 0 OR instr(coalesce(report, ''), ?1) > 0 OR instr(coalesce(error, ''), ?1) > 0)";

/**
 * Removes the updates of a vault's queue that hold one of these texts.
 * @param isDry only counts them
 * @throws ExpectedError `busy` while one of them runs
 */
export function eraseTasks(state: string, texts: readonly string[], isDry: boolean): number {
  const file = path.join(state, "queue.sqlite");
  if (!existsSync(file)) return 0;
  const database = connect(file);
  try {
    database.exec("PRAGMA secure_delete = ON");
    let count = 0;
    // They are stored as JSON.
    for (const text of texts.map((each) => JSON.stringify(each).slice(1, -1))) {
      const running = database
        .prepare(`SELECT 1 FROM tasks WHERE status = 'running' AND ${HOLDS} LIMIT 1`)
        .get(text);
      if (running !== undefined && !isDry)
        throw new ExpectedError(
          "busy",
          "An update that holds it is being filed now. Try again when it is done; coffre status tells.",
        );
      const found = database.prepare(`SELECT count(*) AS n FROM tasks WHERE ${HOLDS}`).get(text);
      count += Number(found?.["n"]);
      if (!isDry) database.prepare(`DELETE FROM tasks WHERE ${HOLDS}`).run(text);
    }
    return count;
  } finally {
    database.close();
  }
}
