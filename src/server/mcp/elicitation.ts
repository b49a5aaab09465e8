import { randomBytes } from "node:crypto";

import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import type { InboxItemText } from "../../agents/contract.ts";
import { proposalIn } from "../../agents/inbox/review-parts.ts";

/** An empty object stands for forms, as in the first version of it. */
const Elicitation = z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() });
const Capabilities = z.object({ elicitation: Elicitation.optional() });
const Envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: Capabilities });

/** Whether a client can show the person a form. It says so with every request since the protocol of 2026, and once for the connection before. */
export function clientCanAsk({ mcpReq }: ServerContext, server: Server): boolean {
  const given =
    Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ??
    Capabilities.safeParse(server.getClientCapabilities() ?? {}).data;
  const elicitation = given?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** A question about an item of the inbox. */
export interface PersonQuestion {
  readonly ref: string;
  readonly message: string;
}

/** With what the item's review proposes, since a yes covers the files that it names. */
export function questionOf({ ref, title, question, review }: InboxItemText): PersonQuestion {
  return { ref, message: question === null ? title : `${title}\n\n${proposalIn(review)}` };
}

/** What goes through the client and comes back with the answer: which item it is for. Sealed, as a client could otherwise answer another one. */
const State = z.object({ ref: z.string() });

/** Seals which item a question is about. */
export type QuestionSeal = RequestStateCodec<z.infer<typeof State>>;

/** Seconds that a person may take to answer a form. */
const ANSWER_SECONDS = 24 * 60 * 60;

/**
 * An answer is taken by whichever process has the same key.
 * @param key 32 bytes
 */
export function questionSeal(key: Uint8Array): QuestionSeal {
  return createRequestStateCodec({ key, ttlSeconds: ANSWER_SECONDS });
}

/** Where one process asks and hears the answer: one that comes after its end is refused, and the item still waits. */
export const processSeal = questionSeal(randomBytes(32));

const ANSWER = "answer";

/** Has the client ask the person: in its answer since the protocol of 2026, by a request of ours before. */
export async function asking(
  { ref, message }: PersonQuestion,
  seal: QuestionSeal,
): Promise<InputRequiredResult> {
  const form = inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { [ANSWER]: { type: "string", title: "Answer", minLength: 1 } },
      required: [ANSWER],
    },
  });
  return inputRequired({
    inputRequests: { [ANSWER]: form },
    requestState: await seal.mint({ ref }),
  });
}

/** What a person answered, and for which item; `answer` is null when they declined. Undefined when nobody was asked in this call. */
export function answerIn({
  mcpReq,
}: ServerContext): { readonly ref: string; readonly answer: string | null } | undefined {
  const state = State.safeParse(mcpReq.requestState());
  if (!state.success) return undefined;
  const given = acceptedContent(mcpReq.inputResponses, ANSWER)?.[ANSWER];
  const answer = typeof given === "string" && given.trim() !== "" ? given : null;
  return { ref: state.data.ref, answer };
}
