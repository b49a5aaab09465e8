import type { z } from "zod";

import type { OwnerInfo } from "../../jobs/owner/owner-lock.ts";
import { refusal, type CallResult } from "../../tools/call-result.ts";
import type * as AnswerSchemas from "./answer-schemas.ts";
import { otherVersion, type OwnerGoneError } from "./transport.ts";

/** How an answer is checked. */
export type SchemaOf<T> = (of: typeof AnswerSchemas) => z.ZodType<T>;

/** Loaded when the first answer is checked: most commands only call a tool, and the schemas take longer to make than that. */
export async function answerSchemas(): Promise<typeof AnswerSchemas> {
  return import("./answer-schemas.ts");
}

/** An answer of the service, checked; another version of ours may answer otherwise. */
export function parsed<T>(text: string, schema: z.ZodType<T>, owner?: OwnerInfo): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw otherVersion(error, owner);
  }
}

/** The result of a call whose owner ended before it answered. */
export function unanswered(name: string, error: OwnerGoneError): CallResult {
  const advice = `Whether ${name} was done is not known: look before you call it again. The vault is served again now.`;
  return refusal(
    error.code,
    `The process that served the vault ended before it answered. ${advice}`,
  );
}
