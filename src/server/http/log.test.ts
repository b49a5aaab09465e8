import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import { createApp } from "../api/app.ts";
import { openLog, type LogFile } from "./log.ts";
import { simpleService } from "../testing/simple-service.ts";

async function logIn(...[state, options]: Parameters<typeof openLog>): Promise<LogFile> {
  const log = await openLog(state, options);
  onTestFinished(() => log.close());
  return log;
}

function linesOf(file: string): unknown[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

it("writes lines of JSON at once, for this user alone", async () => {
  const log = await logIn(temporaryFolder());
  log.info({ tool: "read", ms: 1.5 }, "tool");
  log.error({ err: new Error("broken"), asked: "read" }, "bug");
  expect(linesOf(log.file)).toMatchObject([
    { level: 30, time: expect.stringMatching(/Z$/u), pid: process.pid, tool: "read", msg: "tool" },
    {
      level: 50,
      asked: "read",
      err: { message: "broken", stack: expect.stringContaining("log.test") },
    },
  ]);
  expect(statSync(log.file).mode & 0o777).toBe(0o600);
});

it("goes on after what an earlier process wrote", async () => {
  const state = temporaryFolder();
  (await openLog(state)).info({}, "first");
  (await logIn(state)).info({}, "second");
  expect(linesOf(path.join(state, "log", "service.log"))).toHaveLength(2);
});

it("keeps one older file, and no more", async () => {
  const state = temporaryFolder();
  const log = await logIn(state, { maxBytes: 1000, checkInterval: 1 });
  for (let line = 0; line < 100; line += 1) log.info({ line }, "x".repeat(80));
  const old = path.join(state, "log", "service.old.log");
  expect(existsSync(old)).toBe(true);
  expect(statSync(old).size + statSync(log.file).size).toBeLessThan(3000);
  expect(linesOf(log.file).at(-1)).toMatchObject({ line: 99 });
});

it("drops what it cannot write, and goes on when its folder can be written again", async () => {
  const state = temporaryFolder();
  const log = await logIn(state, { checkInterval: 1, maxBytes: 1 });
  log.info({}, "first");
  rmSync(path.join(state, "log"), { recursive: true });
  writeFileSync(path.join(state, "log"), "in the way");
  for (let line = 0; line < 5; line += 1) log.info({ line }, "lost");
  rmSync(path.join(state, "log"));
  log.info({}, "again");
  expect(linesOf(log.file)).toMatchObject([{ msg: "again" }]);
});

it("says what was asked and how it went, and nothing of what notes and questions say", async () => {
  const vault = temporaryVault({ "secret-name.md": "secret words\n" });
  const log = await logIn(vault.state);
  const service = simpleService(vault);
  const app = createApp({ service, version: "1", now: () => new Date(), onBug: () => {}, log });
  const post = async (name: string, args: unknown): Promise<Response> =>
    app.request(`/api/tools/${name}`, {
      method: "POST",
      headers: { "coffre-client": "tester", "x-request-id": "one" },
      body: JSON.stringify(args),
    });
  await post("read", { paths: "secret-name.md" });
  await post("search", { queries: ["secret question"] });
  await post("edit", { path: "secret.md", old_content: "secret", new_content: "more secret" });
  await app.request("/api/raw?path=secret-name.md");
  await app.request("/api/inbox/2026-01-31-secret-words");
  await app.request("/n/vault/secret-name.md");
  await app.request("/api/alive");
  const text = readFileSync(log.file, "utf8");
  expect(text).not.toContain("secret");
  expect(linesOf(log.file)).toMatchObject([
    { msg: "tool", tool: "read", profile: "update", client: "tester", ms: expect.any(Number) },
    { msg: "request", request: "one", method: "POST", path: "/api/tools/read", status: 200 },
    { msg: "tool", tool: "search" },
    { msg: "request", path: "/api/tools/search" },
    { msg: "tool", tool: "edit", refused: "not_found" },
    { msg: "request", path: "/api/tools/edit", status: 200 },
    { msg: "request", path: "/api/raw", status: 200 },
    { msg: "request", path: "/api/inbox/…", status: 404 },
    { msg: "request", path: "/…", status: 404 },
  ]);
});
