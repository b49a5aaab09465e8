import type * as pg from "pg";

import { errnoOf, ExpectedError } from "../../errors.ts";

/** The driver, an optional install: one person's vault does without it. */
export async function loadPg(
  load: () => Promise<Pick<typeof pg, "Pool" | "Client">> = async () => import("pg"),
): Promise<Pick<typeof pg, "Pool" | "Client">> {
  try {
    return await load();
  } catch (error) {
    if (errnoOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ExpectedError(
      "unavailable",
      "A vault in PostgreSQL needs a package that is not installed: npm install pg@8.",
      { cause: error },
    );
  }
}
