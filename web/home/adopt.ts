import type { AdoptedAnswer, UndoAnswer } from "../../src/server/api/contract.ts";
import { readEventStream } from "../api/event-stream.ts";
import { saidProblem, unreachable } from "../api/problem.ts";
import { send } from "../api/request.ts";

export type Choice = AdoptedAnswer["setting"];

/** Called with how many of how many notes are done. */
type OnProgress = (done: number, total: number) => void;

/** Chooses who gets frontmatter, and resolves when it is done. Throws a `RequestProblem`. */
export async function adopt(frontmatter: Choice, onProgress: OnProgress): Promise<AdoptedAnswer> {
  return withProgress("/api/adopt", { frontmatter }, onProgress);
}

/** Takes an adoption back, and resolves when it is done. Throws a `RequestProblem`. */
export async function undoAdoption(id: string, onProgress: OnProgress): Promise<UndoAnswer> {
  return withProgress("/api/undo", { id }, onProgress);
}

async function withProgress<T>(path: string, body: unknown, onProgress: OnProgress): Promise<T> {
  const response = await send(path, {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  for await (const { name, data } of readEventStream(response)) {
    if (name === "answer") return JSON.parse(data);
    if (name === "problem") {
      const { code, detail }: { code: string; detail: string } = JSON.parse(data);
      throw await saidProblem(code, detail);
    }
    const { done, total }: { done: number; total: number } = JSON.parse(data);
    onProgress(done, total);
  }
  throw unreachable();
}
