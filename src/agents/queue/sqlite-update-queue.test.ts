import { describe, expect, it, onTestFinished } from "vitest";

import { describeUpdateQueue, note, reportOf } from "../../testing/suites/update-queue-suite.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { leaveUpdate, SqliteUpdateQueue } from "./sqlite-update-queue.ts";

function queueIn(state: string): SqliteUpdateQueue {
  const queue = new SqliteUpdateQueue({
    state,
    now: () => new Date(),
    run: async ({ content }) => reportOf(`${content} done`),
    takeBack: async () => null,
    giveUp: async (_, __, reason) => reportOf(reason, "inbox"),
    onChange: () => {},
    onBug: (error) => {
      throw error;
    },
  });
  onTestFinished(async () => queue.close());
  return queue;
}

describe("the queue in SQLite", () => {
  describeUpdateQueue(
    () => temporaryFolder(),
    (state, work) => new SqliteUpdateQueue({ ...work, state }),
  );

  it("runs what another process left in it", async () => {
    const state = temporaryFolder();
    const id = leaveUpdate(state, note("left"), new Date());
    const queue = queueIn(state);
    await queue.start();
    expect(await queue.ended(id)).toMatchObject({
      status: "done",
      report: { text: "left done" },
    });
  });
});
