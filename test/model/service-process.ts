/**
 * Run as a process with an IPC channel: a service on a vault, which does what it is asked until it is told to close, or killed. Arguments:
 * the vault's folder, its state folder, and `memory` for a service with a queue of updates.
 */
import { inspect } from "node:util";

import { createService } from "../../src/compose.ts";
import { diskFailure, ExpectedError } from "../../src/errors.ts";
import { databaseFailure } from "../../src/storage/sqlite.ts";
import { callTool } from "../../src/tools/call.ts";
import { createSession } from "../../src/tools/session.ts";
import type { Answer, Asked, Question } from "./service-client.ts";

const [root = "", state = "", wanted] = process.argv.slice(2);
const bugs: string[] = [];
const onBug = (error: unknown): void => void bugs.push(inspect(error));
process.on("uncaughtException", (error) => bugs.push(`uncaught: ${inspect(error)}`));
process.on("unhandledRejection", (error) => bugs.push(`unhandled: ${inspect(error)}`));

/** Short, so that a step does not wait for it. */
const QUIET = 20;

const memory = wanted === "memory" ? { memory: { model: null, onBug } } : {};
const options = { frontmatter: "all", root, state, quiet: QUIET, ...memory } as const;
const service = await createService(options).catch((error: unknown) => {
  process.stderr.write(inspect(error));
  process.exit(1);
});
const session = createSession("model");

/** What was done, or why it was refused. */
async function asAnswer(work: () => Promise<unknown>): Promise<Omit<Answer, "id">> {
  try {
    return { text: "", structured: await work(), isError: false };
  } catch (error) {
    // As at every door.
    const expected =
      error instanceof ExpectedError ? error : (databaseFailure(error) ?? diskFailure(error));
    if (expected === null) bugs.push(inspect(error));
    const code = expected?.code ?? "bug";
    return { text: String(error), structured: { error: { code } }, isError: true };
  }
}

async function answer(question: Question): Promise<Omit<Answer, "id">> {
  switch (question.kind) {
    case "call": {
      const { vault, index } = service;
      const common = { vault, index, session, now: () => new Date() };
      const { profile, tool, args } = question;
      const { content, structured, isError } = await (profile === "search"
        ? callTool(tool, args, { ...common, profile }, { onBug })
        : callTool(tool, args, { ...common, profile, batch: null }, { onBug }));
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      return { text, structured, isError };
    }
    case "undo":
      return asAnswer(async () => {
        const { id } = await service.vault.undo(question.id, { actor: "model", force: false });
        return { history: id };
      });
    case "ingest": {
      const { name, text } = question;
      const source = { name, bytes: Buffer.from(text) };
      return asAnswer(async () => service.ingest.ingest(source, { actor: "model" }));
    }
    case "remember": {
      const { content, isPreview } = question;
      const input = { content, isPreview, from: "model" };
      return asAnswer(async () => service.memory?.remember(input));
    }
    case "ended":
      return asAnswer(async () => service.memory?.updates.ended(question.id));
    case "decide": {
      const { id, isYes } = question;
      return asAnswer(async () => service.memory?.previews[isYes ? "accept" : "reject"](id));
    }
    case "settle": {
      if (question.isThorough) await service.rescan();
      await service.settled();
      return { text: "", structured: await service.status(), isError: false };
    }
    case "close": {
      await service.close();
      return { text: "", structured: null, isError: false };
    }
  }
}

async function reply({ id, question }: Asked): Promise<void> {
  const answered = await answer(question).catch((error: unknown) => {
    bugs.push(`${question.kind}: ${inspect(error)}`);
    return { text: "", structured: null, isError: true };
  });
  process.send?.({ id, ...answered, bugs: bugs.splice(0) }, () => {
    if (question.kind === "close") process.disconnect();
  });
}

process.on("message", (asked: Asked) => void reply(asked));
process.send?.({ id: 0, text: "", structured: null, isError: false, bugs: bugs.splice(0) });
