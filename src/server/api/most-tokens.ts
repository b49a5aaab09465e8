import { z } from "zod";

import { ExpectedError } from "../../errors.ts";

const Tokens = z.coerce.number().int().min(100).max(1_000_000);

/** What `search` and `tree` may show, when a request's address says so: `?max_tokens=20000`. */
export function mostTokensOf(request: Request): number | undefined {
  const text = new URL(request.url).searchParams.get("max_tokens");
  if (text === null) return undefined;
  const tokens = Tokens.safeParse(text);
  if (tokens.success) return tokens.data;
  throw new ExpectedError(
    "invalid_argument",
    `max_tokens is a number from 100 to 1,000,000, not ${JSON.stringify(text)}.`,
  );
}
