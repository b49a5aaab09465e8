import { describe, expect, it } from "vitest";

import type { UpdateView } from "../../src/server/api/agent-contract.ts";
import {
  eventually,
  startScriptedService,
  type ScriptedService,
} from "../testing/scripted-service.ts";
import { UpdatesModel } from "./updates-model.ts";

function update(id: string, status: UpdateView["status"], from = "page"): UpdateView {
  return {
    id,
    status,
    content: id,
    images: 0,
    inbox_ref: null,
    from,
    created: "2026-11-16T08:00:00",
    started: null,
    ended: null,
    attempts: 1,
    report: null,
    error: null,
  };
}

/** A service with these updates, of which the newest is the first. */
async function withUpdates(
  updates: UpdateView[],
): Promise<{ model: UpdatesModel; service: ScriptedService; shown: () => string[] }> {
  const service = await startScriptedService((request) => {
    const id = request.replace("GET /api/updates", "").slice(1);
    return id === "" ? { updates } : updates.find((each) => each.id === id);
  });
  const model = new UpdatesModel(service);
  const shown = (): string[] => model.shown.get().map(({ id, status }) => `${id} ${status}`);
  return { model, service, shown };
}

function tell(service: ScriptedService, { id, status }: UpdateView): void {
  service.emit({ type: "update", id, status, queue: { waiting: 0, running: 0 } });
}

describe("the updates on the page", () => {
  it("are those under way when it was opened, and not those that had ended", async () => {
    const { model, shown } = await withUpdates([
      update("c", "waiting"),
      update("b", "running", "cli"),
      update("a", "done"),
    ]);
    await model.start();
    expect(shown()).toEqual(["c waiting", "b running"]);
  });

  it("are also those that others start, but not the end of one that was never shown", async () => {
    const updates = [update("b", "running", "claude-code"), update("a", "done", "cli")];
    const { service, shown } = await withUpdates(updates);
    for (const each of updates.toReversed()) tell(service, each);
    await eventually(() => expect(shown()).toEqual(["b running"]));
    updates[0] = update("b", "parked", "claude-code");
    tell(service, updates[0]);
    await eventually(() => expect(shown()).toEqual(["b parked"]));
    expect(service.requests).not.toContain("GET /api/updates/a");
  });

  it("show their end when it is told before the first answer came", async () => {
    const first = Promise.withResolvers<UpdateView>();
    let requests = 0;
    const service = await startScriptedService(() => {
      requests += 1;
      return requests === 1 ? first.promise : update("a", "done");
    });
    const model = new UpdatesModel(service);
    const following = model.follow("a");
    tell(service, update("a", "done"));
    await eventually(() => expect(model.shown.get()).toMatchObject([{ status: "done" }]));
    first.resolve(update("a", "running"));
    await following;
    expect(model.shown.get()).toMatchObject([{ status: "done" }]);
  });

  it("stay away once dismissed, until they run again", async () => {
    const updates = [update("a", "failed")];
    const { model, service, shown } = await withUpdates(updates);
    await model.follow("a");
    model.dismiss("a");
    tell(service, update("a", "failed"));
    await model.start();
    expect(shown()).toEqual([]);
    updates[0] = update("a", "running");
    tell(service, updates[0]);
    await eventually(() => expect(shown()).toEqual(["a running"]));
  });

  it("include the last three that others had filed, and all that this page sent or that need a person", async () => {
    const { model, shown } = await withUpdates([
      ...["1", "2", "3", "4"].map((id) => update(id, "done", "claude-code")),
      update("own", "done"),
      update("parked", "parked", "claude-code"),
    ]);
    for (const id of ["own", "parked", "1", "2", "3", "4"]) await model.follow(id);
    expect(shown()).toEqual(["4 done", "3 done", "2 done", "parked parked", "own done"]);
  });

  it("come back with the service", async () => {
    const updates: UpdateView[] = [];
    const { service, shown } = await withUpdates(updates);
    updates.push(update("a", "running"));
    service.emit({ type: "resync" });
    await eventually(() => expect(shown()).toEqual(["a running"]));
  });
});
