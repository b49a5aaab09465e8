/**
 * Run as a process with an IPC channel: a service on a vault, which does what it is asked until it is told to close, or killed. Arguments:
 * the vault's folder, its state folder.
 */
import { inspect } from "node:util";

import { createService } from "../../src/compose.ts";
import { ExpectedError } from "../../src/errors.ts";
import { callTool } from "../../src/tools/call.ts";
import { createSession } from "../../src/tools/session.ts";
import type { Answer, Asked, Question } from "./service-client.ts";

const [root = "", state = ""] = process.argv.slice(2);
const bugs: string[] = [];
process.on("uncaughtException", (error) => bugs.push(`uncaught: ${inspect(error)}`));
process.on("unhandledRejection", (error) => bugs.push(`unhandled: ${inspect(error)}`));

/** Short, so that a step does not wait for it. */
const QUIET = 20;

const service = await createService({ frontmatter: "all", root, state, quiet: QUIET }).catch(
  (error: unknown) => {
    process.stderr.write(inspect(error));
    process.exit(1);
  },
);
const session = createSession("model");

async function answer(question: Question): Promise<Omit<Answer, "id">> {
  switch (question.kind) {
    case "call": {
      const { vault, index } = service;
      const common = { vault, index, session, now: () => new Date() };
      const onBug = (error: unknown): void => void bugs.push(inspect(error));
      const { profile, tool, args } = question;
      const { content, structured, isError } = await (profile === "search"
        ? callTool(tool, args, { ...common, profile }, { onBug })
        : callTool(tool, args, { ...common, profile, batch: null }, { onBug }));
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      return { text, structured, isError };
    }
    case "undo": {
      try {
        const { id } = await service.vault.undo(question.id, { actor: "model", force: false });
        return { text: "", structured: { history: id }, isError: false };
      } catch (error) {
        if (!(error instanceof ExpectedError)) bugs.push(inspect(error));
        const code = error instanceof ExpectedError ? error.code : "bug";
        return { text: String(error), structured: { error: { code } }, isError: true };
      }
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
