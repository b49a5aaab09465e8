import { expect, it, onTestFinished } from "vitest";

import { NO_USAGE, type UpdateInput, type UpdateReport } from "../../agents/contract.ts";
import type { QueueCounts, QueueWork, UpdateQueue } from "../../agents/queue/update-queue.ts";
import { ExpectedError } from "../../errors.ts";
import { codeOf } from "../expected-error.ts";

export function note(content: string): UpdateInput {
  const whose = { isUntrusted: false, isRelayed: false, isPreview: false, from: "test" };
  return { content, images: [], inboxRef: null, sources: [], files: [], ...whose };
}

export function reportOf(
  text: string,
  outcome: UpdateReport["outcome"] = "filed",
  batch: string | null = null,
): UpdateReport {
  const inbox = outcome === "inbox" ? "item" : null;
  return { outcome, text, touched: [], inbox, batch, model: null, steps: 0, usage: NO_USAGE };
}

/** A run that lasts until it is aborted. */
function endless(): { run: QueueWork["run"]; started: Promise<void> } {
  const started = Promise.withResolvers<void>();
  return {
    started: started.promise,
    run: async (_, { signal }) => {
      started.resolve();
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
  };
}

/**
 * What any queue of updates must do.
 * @param place an empty place where a queue is kept
 * @param open a queue at a place, where another one may have been before
 */
export function describeUpdateQueue(
  place: () => string,
  open: (place: string, work: QueueWork) => UpdateQueue,
): void {
  /** A queue that is closed when the test ends, and what it reported. */
  function queueAt(at: string, work: Partial<QueueWork> = {}) {
    const changes: string[] = [];
    const bugs: unknown[] = [];
    const queue = open(at, {
      now: () => new Date(),
      run: async ({ content }) => reportOf(`${content} done`),
      takeBack: async () => null,
      giveUp: async (_, batch, reason) => reportOf(reason, "inbox", batch),
      onChange: ({ input, status }) => changes.push(`${input.content} ${status}`),
      onBug: (error) => bugs.push(error),
      ...work,
    });
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (isClosed) return;
      isClosed = true;
      await queue.close();
    };
    onTestFinished(close);
    return { queue, changes, bugs, close };
  }

  /** Adds a note whose run never ends, as if the process had been killed meanwhile. */
  async function crashAt(at: string, content: string): Promise<string> {
    const { run, started } = endless();
    const { queue } = queueAt(at, { run });
    await queue.start();
    const id = content === "" ? "" : (await queue.add(note(content))).id;
    await started;
    return id;
  }

  it("runs updates one after another, in the order they came", async () => {
    const { queue, changes } = queueAt(place());
    const added = await Promise.all(["a", "b", "c"].map(async (each) => queue.add(note(each))));
    for (const { id } of added) await queue.ended(id);
    expect(changes).toEqual([
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
    const listed = await queue.list();
    expect(listed.map(({ report }) => report?.text)).toEqual(["c done", "b done", "a done"]);
  });

  it("stores the whole input and report", async () => {
    const { queue } = queueAt(place(), { run: async () => reportOf("é", "inbox", "batch") });
    const input: UpdateInput = {
      content: "Naïve — 字",
      images: [{ name: "roof.png", data: "AAAA" }, { data: "BBBB" }],
      inboxRef: "2026-01-31-roof",
      sources: ["mail.eml"],
      files: [{ name: "mail.eml", sha256: "00".repeat(32) }],
      isUntrusted: true,
      isRelayed: false,
      isPreview: false,
      from: "Café",
    };
    const { id } = await queue.add(input);
    expect(await queue.ended(id)).toEqual({
      id,
      status: "parked",
      input,
      attempts: 1,
      crashes: 0,
      created: expect.any(Number),
      started: expect.any(Number),
      ended: expect.any(Number),
      report: reportOf("é", "inbox", "batch"),
      error: null,
    });
  });

  it("keeps what waits, and what ran when it was closed, for the next process", async () => {
    const at = place();
    const { run, started } = endless();
    const { queue, close } = queueAt(at, { run });
    await queue.add(note("a"));
    await queue.add(note("b"));
    await started;
    await close();
    const next = queueAt(at);
    expect(await next.queue.counts()).toEqual({ waiting: 2, running: 0 });
    await next.queue.start();
    const listed = await next.queue.list();
    const ended = await Promise.all(listed.map(({ id }) => next.queue.ended(id)));
    expect(ended.map(({ input, status, attempts }) => [input.content, status, attempts])).toEqual([
      ["b", "done", 1],
      ["a", "done", 2],
    ]);
    expect(next.changes[0]).toBe("a running");
  });

  it("undoes what a crashed attempt wrote, and runs it again with another batch", async () => {
    const at = place();
    const id = await crashAt(at, "a");
    const taken: string[] = [];
    const batches: string[] = [];
    const { queue } = queueAt(at, {
      takeBack: async (batch) => {
        taken.push(batch);
        return null;
      },
      run: async (_, { batch }) => {
        batches.push(batch);
        return reportOf("done");
      },
    });
    await queue.start();
    expect(await queue.ended(id)).toMatchObject({ status: "done", attempts: 2, crashes: 1 });
    expect(taken).toHaveLength(1);
    expect(batches).toHaveLength(1);
    expect(taken).not.toEqual(batches);
  });

  it("gives up a crashed attempt that cannot be undone", async () => {
    const at = place();
    const id = await crashAt(at, "a");
    const { queue } = queueAt(at, { takeBack: async () => "somebody wrote there" });
    await queue.start();
    expect(await queue.get(id)).toMatchObject({
      status: "parked",
      report: { text: "somebody wrote there" },
    });
  });

  it("does not run again by itself what has crashed three times, but does when it is told to", async () => {
    const at = place();
    const id = await crashAt(at, "a");
    await crashAt(at, "");
    await crashAt(at, "");
    const { queue } = queueAt(at);
    await queue.start();
    expect(await queue.get(id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("3 times"),
    });
    await queue.retry(id);
    expect((await queue.ended(id)).status).toBe("done");
  });

  it("keeps a preview until it is decided, also after a restart, and runs others meanwhile", async () => {
    const at = place();
    const run: QueueWork["run"] = async ({ content }) =>
      content === "a" ? { ...reportOf("a"), isPreview: true } : reportOf(content);
    const first = queueAt(at, { run });
    const { id } = await first.queue.add(note("a"));
    expect((await first.queue.ended(id)).status).toBe("preview");
    expect((await first.queue.ended((await first.queue.add(note("b"))).id)).status).toBe("done");
    await first.close();
    const { queue } = queueAt(at, { run });
    await queue.start();
    expect((await queue.previews()).map((each) => each.id)).toEqual([id]);
    expect(await codeOf(() => queue.retry(id))).toBe("conflict");
    expect(await queue.decide(id, reportOf("landed", "filed", "batch"))).toMatchObject({
      status: "done",
      report: { text: "landed", batch: "batch" },
    });
    expect(await codeOf(() => queue.decide(id, null))).toBe("conflict");
    const other = await queue.ended((await queue.add(note("a"))).id);
    expect((await queue.decide(other.id, null)).status).toBe("cancelled");
    expect(await queue.previews()).toEqual([]);
  });

  it("takes changes that were tried already as a preview, more of them under the same id, and never runs them", async () => {
    const at = place();
    const first = queueAt(at);
    const input = { ...note("a client's"), isPreview: true, connection: "one" };
    const report = (text: string): UpdateReport => ({ ...reportOf(text), isPreview: true });
    await first.queue.propose("p1", input, report("1 file"));
    await first.queue.propose("p1", input, report("2 files"));
    await first.close();
    const { queue } = queueAt(at, {
      run: async () => {
        throw new Error("it was run");
      },
    });
    await queue.start();
    expect(await queue.previews()).toMatchObject([
      { id: "p1", status: "preview", input: { connection: "one" }, report: { text: "2 files" } },
    ]);
    expect((await queue.decide("p1", null)).status).toBe("cancelled");
    // What is answered stays answered.
    await queue.propose("p1", input, report("3 files"));
    expect(await queue.get("p1")).toMatchObject({ status: "cancelled", report: null });
    expect(await codeOf(() => queue.retry("p1"))).toBe("conflict");
  });

  it("says how many wait and run with every change", async () => {
    const counts: QueueCounts[] = [];
    const { queue } = queueAt(place(), { onChange: (_, now) => counts.push(now) });
    await queue.ended((await queue.add(note("a"))).id);
    expect(counts).toEqual([
      { waiting: 1, running: 0 },
      { waiting: 0, running: 1 },
      { waiting: 0, running: 0 },
    ]);
  });

  it("cancels an update that waits, and one that runs", async () => {
    const { run, started } = endless();
    const { queue } = queueAt(place(), { run });
    const [a, b] = [await queue.add(note("a")), await queue.add(note("b"))];
    await started;
    expect(await queue.counts()).toEqual({ waiting: 1, running: 1 });
    expect((await queue.cancel(b.id)).status).toBe("cancelled");
    expect(await queue.cancel(a.id)).toMatchObject({
      status: "cancelled",
      error: "It was cancelled.",
    });
    expect(await codeOf(() => queue.cancel(a.id))).toBe("conflict");
    expect(await codeOf(() => queue.cancel("nobody"))).toBe("not_found");
  });

  it("retries a failed update with another batch", async () => {
    const batches: string[] = [];
    const { queue } = queueAt(place(), {
      run: async ({ content }, { batch }) => {
        batches.push(batch);
        if (batches.length === 1) throw new ExpectedError("disk_full", "no room");
        return reportOf(content);
      },
    });
    const { id } = await queue.add(note("a"));
    expect(await queue.ended(id)).toMatchObject({ status: "failed", error: "no room" });
    await queue.retry(id);
    expect(await queue.ended(id)).toMatchObject({ status: "done", error: null });
    expect(batches).toEqual([`${id}-1`, `${id}-2`]);
    expect(await codeOf(() => queue.retry(id))).toBe("conflict");
  });

  it.each([
    ["named in its report", "own"],
    ["of its attempt", null],
  ])("takes back the batch %s before it retries a parked update", async (_, batch) => {
    const taken: string[] = [];
    let reason: string | null = "somebody wrote there";
    const { queue } = queueAt(place(), {
      run: async ({ content }) => reportOf(content, "inbox", batch),
      takeBack: async (each) => {
        taken.push(each);
        return reason;
      },
    });
    const { id } = await queue.add(note("a"));
    await queue.ended(id);
    expect(await codeOf(() => queue.retry(id))).toBe("conflict");
    reason = null;
    await queue.retry(id);
    await queue.ended(id);
    const expected = batch ?? `${id}-1`;
    expect(taken).toEqual([expected, expected]);
  });

  it("goes on after an update that fails because of a bug", async () => {
    const { queue, bugs } = queueAt(place(), {
      run: async ({ content }) => {
        if (content === "a") throw new TypeError("a bug");
        return reportOf(content);
      },
    });
    const [a, b] = [await queue.add(note("a")), await queue.add(note("b"))];
    expect((await queue.ended(a.id)).error).toBe("Internal error; see the log.");
    expect((await queue.ended(b.id)).status).toBe("done");
    expect(bugs).toEqual([new TypeError("a bug")]);
  });

  it("keeps the last five hundred that ended, and every one that failed", async () => {
    const { queue } = queueAt(place(), {
      run: async ({ content }) => {
        if (content === "0") throw new ExpectedError("too_large", "The model refused it.");
        return reportOf(content);
      },
    });
    const ids: string[] = [];
    for (let at = 0; at < 512; at += 1) ids.push((await queue.add(note(String(at)))).id);
    await queue.ended(ids.at(-1) ?? "");
    expect(await queue.list(1000)).toHaveLength(501);
    expect((await queue.get(ids[0] ?? "")).status).toBe("failed");
    expect(await codeOf(() => queue.get(ids[1] ?? ""))).toBe("not_found");
  });
}
