import type { z } from "zod";

import type { InboxItem, InboxItemText } from "../../agents/inbox/inbox.ts";
import type { RememberInput } from "../../agents/memory.ts";
import type { RecallAnswer } from "../../agents/recall/recall-answer.ts";
import type { OnRunEvent } from "../../agents/run-events.ts";
import { ExpectedError } from "../../errors.ts";
import {
  AcceptedAnswer,
  InboxAnswer,
  InboxItemAnswer,
  RunEventAnswer,
  SearchAnswer,
  UpdateAnswer,
  type UpdateView,
} from "../api/agent-contract.ts";
import { CLIENT_HEADER, ProblemAnswer } from "../api/contract.ts";
import type { OwnerClient } from "./owner-client.ts";
import type { Call } from "./owner-connection.ts";
import { isErrorCode } from "../http/problem.ts";

/** The memory of the process that owns the vault, from another process. */
export interface AgentClient {
  /** The id of the update. It is safe when this resolves. */
  remember(input: RememberInput): Promise<string>;
  update(id: string): Promise<UpdateView>;
  /** Tells what an update does, and resolves when it has ended. */
  follow(id: string, onEvent: OnRunEvent): Promise<UpdateView>;
  recall(question: string, onEvent: OnRunEvent): Promise<RecallAnswer>;
  inbox(): Promise<readonly InboxItem[]>;
  inboxItem(ref: string): Promise<InboxItemText>;
}

export function agentClient(owner: Pick<OwnerClient, "ask" | "listen">): AgentClient {
  /** Passes events on until the answer. */
  async function follow<T>(asked: Call, answer: z.ZodType<T>, onEvent: OnRunEvent): Promise<T> {
    for await (const { name, data } of owner.listen(asked)) {
      const parsed: unknown = JSON.parse(data);
      if (name === "answer") return answer.parse(parsed);
      if (name === "problem") {
        const { code, detail } = ProblemAnswer.parse(parsed);
        throw new ExpectedError(isErrorCode(code) ? code : "unavailable", detail);
      }
      const event = RunEventAnswer.safeParse(parsed);
      // One of a later version is not for us.
      if (event.success) onEvent(event.data);
    }
    throw new ExpectedError("unavailable", "The service ended before it answered; try again.");
  }

  return {
    remember: async (input) => {
      const { id } = await owner.ask(
        {
          method: "POST",
          path: "/api/update",
          headers: { [CLIENT_HEADER]: encodeURIComponent(input.from) },
          body: {
            content: input.content,
            images: input.images ?? [],
            inbox_ref: input.inboxRef ?? null,
            sources: input.sources ?? [],
            untrusted: input.isUntrusted ?? false,
          },
        },
        AcceptedAnswer,
      );
      return id;
    },
    update: async (id) => owner.ask({ method: "GET", path: updatePath(id) }, UpdateAnswer),
    follow: async (id, onEvent) =>
      follow({ method: "GET", path: updatePath(id) }, UpdateAnswer, onEvent),
    recall: async (question, onEvent) =>
      follow({ method: "POST", path: "/api/search", body: { question } }, SearchAnswer, onEvent),
    inbox: async () => {
      const { items } = await owner.ask({ method: "GET", path: "/api/inbox" }, InboxAnswer);
      return items;
    },
    inboxItem: async (ref) =>
      owner.ask({ method: "GET", path: `/api/inbox/${encodeURIComponent(ref)}` }, InboxItemAnswer),
  };
}

function updatePath(id: string): string {
  return `/api/updates/${encodeURIComponent(id)}`;
}
