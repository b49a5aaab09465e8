import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";

import { codeOf } from "../../testing/expected-error.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { ExpectedError } from "../../errors.ts";
import { TaskQueue, type TaskQueueOptions } from "./task-queue.ts";

const Text = z.string();
type Options = TaskQueueOptions<string, string>;

/** A queue whose tasks are texts; what it hears is written down. */
function queueOf(given: Partial<Options> & { state?: string } = {}): {
  queue: TaskQueue<string, string>;
  heard: string[];
  bugs: unknown[];
  state: string;
} {
  const state = given.state ?? temporaryFolder();
  const heard: string[] = [];
  const bugs: unknown[] = [];
  const queue = new TaskQueue<string, string>({
    state,
    now: () => new Date(),
    input: Text,
    report: Text,
    run: async (input) => ({ status: "done", report: `${input} done` }),
    takeBack: async () => null,
    giveUp: async (_, __, why) => ({ status: "parked", report: why }),
    onChange: ({ input, status }) => heard.push(`${input} ${status}`),
    onBug: (error) => bugs.push(error),
    ...given,
  });
  return { queue, heard, bugs, state };
}

function closeAtEnd(queue: TaskQueue<string, string>): void {
  onTestFinished(() => queue.close());
}

/** A task that goes on until it is told to end, or is aborted. */
function held(): { run: Options["run"]; end: () => void; begun: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  return {
    end: resolve,
    begun: begun.promise,
    run: async (input, { signal }) => {
      begun.resolve();
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
      await Promise.race([promise, aborted]);
      return { status: "done", report: `${input} done` };
    },
  };
}

describe("the queue", () => {
  it("runs tasks one after another, in the order they came", async () => {
    const { queue, heard } = queueOf();
    closeAtEnd(queue);
    const ids = ["a", "b", "c"].map((each) => queue.add(each).id);
    for (const id of ids) await queue.ended(id);
    expect(heard).toEqual([
      "a waiting",
      "b waiting",
      "c waiting",
      "a running",
      "a done",
      "b running",
      "b done",
      "c running",
      "c done",
    ]);
    expect(queue.list().map(({ report }) => report)).toEqual(["c done", "b done", "a done"]);
  });

  it("keeps a task that is waiting, and one that ran when it was closed, for the next process", async () => {
    const first = held();
    const { queue, state } = queueOf({ run: first.run });
    queue.add("a");
    queue.add("b");
    await first.begun;
    await queue.close();
    const next = queueOf({ state });
    closeAtEnd(next.queue);
    expect(next.queue.counts()).toEqual({ waiting: 2, running: 0 });
    await next.queue.start();
    const ended = await Promise.all(next.queue.list().map(({ id }) => next.queue.ended(id)));
    expect(ended.map(({ input, status, attempts }) => [input, status, attempts])).toEqual([
      ["b", "done", 1],
      ["a", "done", 2],
    ]);
    expect(next.heard[0]).toBe("a running");
  });

  it("cancels a task that waits, and one that runs", async () => {
    const running = held();
    const { queue } = queueOf({ run: running.run });
    closeAtEnd(queue);
    const [a, b] = [queue.add("a").id, queue.add("b").id];
    await running.begun;
    expect((await queue.cancel(b)).status).toBe("cancelled");
    expect(await queue.cancel(a)).toMatchObject({
      status: "cancelled",
      error: "It was cancelled.",
    });
    expect(await codeOf(() => queue.cancel(a))).toBe("conflict");
    expect(await codeOf(() => queue.cancel("nobody"))).toBe("not_found");
  });

  it("tries a failed task again when it is told to, with another batch", async () => {
    const batches: string[] = [];
    const { queue } = queueOf({
      run: async (input, { batch }) => {
        batches.push(batch);
        if (batches.length === 1) throw new ExpectedError("disk_full", "no room");
        return { status: "done", report: input };
      },
    });
    closeAtEnd(queue);
    const { id } = queue.add("a");
    expect(await queue.ended(id)).toMatchObject({ status: "failed", error: "no room" });
    await queue.retry(id);
    expect(await queue.ended(id)).toMatchObject({ status: "done", error: null });
    expect(batches).toEqual([`${id}-1`, `${id}-2`]);
    expect(await codeOf(() => queue.retry(id))).toBe("conflict");
  });

  it("takes back what a parked task left before it tries it again, unless that was changed", async () => {
    const taken: string[] = [];
    let why: string | null = "somebody wrote there";
    const { queue } = queueOf({
      run: async (input) => ({ status: "parked", report: input }),
      takeBack: async (batch) => {
        taken.push(batch);
        return why;
      },
    });
    closeAtEnd(queue);
    const { id } = queue.add("a");
    await queue.ended(id);
    expect(await codeOf(() => queue.retry(id))).toBe("conflict");
    why = null;
    await queue.retry(id);
    await queue.ended(id);
    expect(taken).toEqual([`${id}-1`, `${id}-1`]);
  });

  it("goes on after a task that fails for a reason nobody expected", async () => {
    const { queue, bugs } = queueOf({
      run: async (input) => {
        if (input === "a") throw new TypeError("a bug");
        return { status: "done", report: input };
      },
    });
    closeAtEnd(queue);
    const [a, b] = [queue.add("a").id, queue.add("b").id];
    expect((await queue.ended(a)).error).toContain("the log has the details");
    expect((await queue.ended(b)).status).toBe("done");
    expect(bugs).toEqual([new TypeError("a bug")]);
  });

  it("remembers the last five hundred that ended", async () => {
    const { queue } = queueOf();
    closeAtEnd(queue);
    const ids = Array.from({ length: 510 }, (_, at) => queue.add(String(at)).id);
    await queue.ended(ids.at(-1) ?? "");
    expect(queue.list(1000)).toHaveLength(500);
    expect(await codeOf(() => queue.get(ids[0] ?? ""))).toBe("not_found");
  });
});
