import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { z } from "zod";

export type Question =
  | {
      readonly kind: "call";
      readonly profile: "update" | "search";
      readonly tool: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "undo"; readonly id: string }
  | { readonly kind: "ingest"; readonly name: string; readonly text: string }
  /** Of a service with a memory, which has no model. */
  | { readonly kind: "remember"; readonly content: string; readonly isPreview: boolean }
  /** Answered when the update has ended, or waits for a yes. */
  | { readonly kind: "ended"; readonly id: string }
  /** The answer to a preview. */
  | { readonly kind: "decide"; readonly id: string; readonly isYes: boolean }
  /** Answered when nothing is left to process; `isThorough` compares everything with the disk first. */
  | { readonly kind: "settle"; readonly isThorough: boolean }
  | { readonly kind: "close" };

export interface Asked {
  readonly id: number;
  readonly question: Question;
}

const AnswerOf = z.object({
  id: z.number(),
  text: z.string(),
  structured: z.unknown(),
  isError: z.boolean(),
  /** What nobody expected, since the last answer. */
  bugs: z.array(z.string()).optional(),
});
export type Answer = z.infer<typeof AnswerOf>;

const SCRIPT = fileURLToPath(new URL("service-process.ts", import.meta.url));

/** Milliseconds after which a question counts as never answered: no call takes a hundredth of it. */
const PATIENCE = 120_000;

/** A service in a process of its own, which can be killed. */
export class ServiceClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #closed: Promise<unknown>;
  #complaint = "";
  #last = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#closed = once(child, "close");
    child.stderr?.on("data", (part) => (this.#complaint = this.#complaint + String(part)));
    child.on("message", (message) => {
      const answer = AnswerOf.parse(message);
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    child.on("close", (code, signal) => {
      const error = new Error(`the service ended (${code ?? signal}): ${this.#complaint}`);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
  }

  /** Resolves when the vault is open. @param hasMemory with the queue and previews of updates */
  static async start(
    { root, state }: { readonly root: string; readonly state: string },
    environment: Readonly<Record<string, string | undefined>> = process.env,
    hasMemory = false,
  ): Promise<ServiceClient> {
    const stdio = ["ignore", "ignore", "pipe", "ipc"] as const;
    const child = fork(SCRIPT, [root, state, ...(hasMemory ? ["memory"] : [])], {
      env: environment,
      stdio: [...stdio],
      execArgv: [],
    });
    const client = new ServiceClient(child);
    await client.#answerTo(0);
    return client;
  }

  /** Fails when the service ends before it answers, or does not answer at all. */
  async ask(question: Question): Promise<Answer> {
    this.#last += 1;
    const answer = this.#answerTo(this.#last);
    const asked: Asked = { id: this.#last, question };
    this.#child.send(asked, () => {});
    return answer;
  }

  async call(
    tool: string,
    args: Readonly<Record<string, unknown>>,
    profile: "update" | "search" = "update",
  ): Promise<Answer> {
    return this.ask({ kind: "call", profile, tool, args });
  }

  async #answerTo(id: number): Promise<Answer> {
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    const timer = setTimeout(
      () => waiting.reject(new Error(`no answer within ${PATIENCE / 1000} s`)),
      PATIENCE,
    );
    try {
      return await waiting.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<Answer> {
    const answer = await this.ask({ kind: "close" });
    await this.#closed;
    return answer;
  }

  /** Ends it at once, as SIGKILL does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#closed;
  }
}
