import type * as jose from "jose";

import { errnoOf, ExpectedError } from "../../errors.ts";

type Jose = Pick<typeof jose, "createRemoteJWKSet" | "errors" | "jwtVerify">;

/** What checks the signatures of a provider, an optional install: invitations and personal tokens do without it. */
export async function loadJose(
  load: () => Promise<Jose> = async () => import("jose"),
): Promise<Jose> {
  try {
    return await load();
  } catch (error) {
    if (errnoOf(error) !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new ExpectedError(
      "unavailable",
      "Login with a provider needs a package that is not installed: npm install jose@6.",
      { cause: error },
    );
  }
}
