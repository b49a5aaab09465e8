import type { Hono } from "hono";

import { sourcesInText } from "../../evidence/answer-sources.ts";
import { verifySources } from "../../evidence/verify.ts";
import { ExpectedError } from "../../errors.ts";
import { checked, jsonBody } from "../http/request.ts";
import { VerifyBody, type Verified } from "./agent-contract.ts";
import type { GivenVault } from "./app.ts";

/** `POST /api/verify`: what became of the sources of an answer. */
export function addVerifyRoutes(app: Hono, { service }: { readonly service: GivenVault }): void {
  app.post("/api/verify", async (c) => {
    const asked = 'Send {"answer": "…"}, or {"sources": [{path, lines, sha256}]}';
    const { answer, evidence, sources } = checked(VerifyBody, await jsonBody(c.req.raw), asked);
    const given = answer === undefined ? (evidence ?? sources) : sourcesInText(answer);
    if (given === undefined || given.length === 0) {
      throw new ExpectedError("invalid_argument", `There is nothing to verify. ${asked}.`);
    }
    return c.json<Verified>(await verifySources(given, service));
  });
}
