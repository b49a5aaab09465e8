import { expect, it } from "vitest";

import type { Status } from "../../src/server/api/contract.ts";
import { eventually, startScriptedService } from "../testing/scripted-service.ts";
import { StatusModel } from "./status-model.ts";

const STATUS: Status = {
  version: "1.2.3",
  vault: "/notes",
  index: { engine: "words", files: 3, chunks: 9, bytes: 100, pending: 0 },
  deep: { engine: "words", model: null, state: "words", embedded: 0, pending: 0, problem: null },
  watcher: { alive: true, folders: 1, unwatched: 0, lastEvent: null, heartbeat: null },
  lastError: null,
  frontmatter: { setting: "all", chosen: true, left: {} },
  alarms: [],
  model: null,
  spent: null,
  inbox: 0,
  tidy: { daily: false, last: null },
  queue: { waiting: 0, running: 0 },
  ignored: { hidden: 0, unlisted: 0 },
  left: [],
};

it("follows the counts in events without another request", async () => {
  const service = await startScriptedService(() => STATUS);
  const model = new StatusModel(service);
  await model.load();
  service.emit({ type: "file", changed: ["vault/a.md"], created: [], gone: [] });
  service.emit({ type: "index", files: 4, chunks: 12, pending: 0 });
  service.emit({ type: "inbox", count: 2 });
  service.emit({ type: "update", id: "u", status: "running", queue: { waiting: 1, running: 1 } });
  expect(model.status.get()).toEqual({
    ...STATUS,
    index: { ...STATUS.index, files: 4, chunks: 12 },
    inbox: 2,
    queue: { waiting: 1, running: 1 },
  });
  expect(service.requests).toEqual(["GET /api/status"]);
});

it("does not take an answer for the present one when an event came meanwhile", async () => {
  const answers = [
    { ...STATUS, inbox: 1 },
    { ...STATUS, inbox: 2 },
  ];
  const service = await startScriptedService(() => {
    if (answers.length === 2) service.emit({ type: "inbox", count: 2 });
    return answers.shift();
  });
  const model = new StatusModel(service);
  await model.load();
  expect(model.status.get()?.inbox).toBe(2);
  expect(service.requests).toHaveLength(2);
});

it("is requested again after a resync, and while files are pending", async () => {
  let files = 3;
  const service = await startScriptedService(() => ({
    ...STATUS,
    index: { ...STATUS.index, files, pending: 0 },
  }));
  const model = new StatusModel(service, { idle: 600_000, pending: 1 });
  await model.load();
  files = 4;
  service.emit({ type: "resync" });
  await eventually(() => expect(model.status.get()?.index.files).toBe(4));
  files = 5;
  service.emit({ type: "index", files: 4, chunks: 9, pending: 1 });
  await eventually(() => expect(model.status.get()?.index).toMatchObject({ files: 5, pending: 0 }));
  expect(service.requests).toHaveLength(3);
});

it("knows how many were pending since none was, for a bar", async () => {
  const service = await startScriptedService(() => STATUS);
  const model = new StatusModel(service);
  await model.load();
  const after = (pending: number): number => {
    service.emit({ type: "index", files: 3, chunks: 9, pending });
    return model.most.get();
  };
  expect([200, 120, 240, 10, 0, 5].map((pending) => after(pending))).toEqual([
    200, 200, 240, 240, 0, 5,
  ]);
});
