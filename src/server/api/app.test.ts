import { readFileSync } from "node:fs";
import path from "node:path";

import type { Hono } from "hono";
import { describe, expect, it } from "vitest";

import { temporaryVault, type Files } from "../../testing/temporary-vault.ts";
import type { LocalVault } from "../../vault/vault.ts";
import { createApp } from "./app.ts";
import { simpleService, type SimpleService } from "../testing/simple-service.ts";

const FILES = {
  "a.md": "# Pump\n\nThe pump in the cellar\n",
  "vault/b.md": "In a folder that is called like the vault\n",
};
const MIB = 1024 * 1024;

interface Place {
  readonly vault: LocalVault;
  readonly service: SimpleService;
  readonly app: Hono;
  readonly bugs: unknown[];
  readonly post: (
    where: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    body: text === "" ? null : JSON.parse(text),
  };
}

function place(files: Files = FILES): Place {
  const vault = temporaryVault(files);
  const service = simpleService(vault);
  const bugs: unknown[] = [];
  const onBug = (error: unknown): void => void bugs.push(error);
  const app = createApp({ service, version: "1.2.3", now: () => new Date(), onBug });
  return {
    vault,
    service,
    app,
    bugs,
    post: async (where, body, headers = {}) => {
      const sent = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
      const init = { method: "POST", headers, ...(sent === undefined ? {} : { body: sent }) };
      return answerOf(await app.request(where, init));
    },
  };
}

it("sends only the part of an answer that was asked for, and failures whole", async () => {
  const { post } = place();
  const search = async (part: string, queries: readonly string[]): Promise<Answer> =>
    post(`/api/tools/search?answer=${part}`, { queries });
  const content = [{ type: "text", text: expect.stringContaining("3  | The pump") }];
  const structured = [expect.objectContaining({ path: "vault/a.md", lines: "1-3" })];
  const [text, data] = [await search("content", ["pump"]), await search("structured", ["pump"])];
  expect(text.body).toEqual({ content, structured: null, isError: false });
  expect(data.body).toEqual({ content: [], structured, isError: false });
  const error = { code: "invalid_argument", message: expect.any(String) };
  const failed = { content: [expect.any(Object)], structured: { error }, isError: true };
  expect((await search("content", [])).body).toEqual(failed);
  expect((await search("structured", [])).body).toEqual(failed);
  expect((await search("all", ["pump"])).status).toBe(400);
});

describe("GET /api/status", () => {
  it("gives what the service says of itself, and its version", async () => {
    const { app, vault } = place();
    const answer = await answerOf(await app.request("/api/status"));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      version: "1.2.3",
      vault: vault.root,
      index: { engine: "built-in", pending: 0 },
      watcher: { alive: true, folders: 7 },
      alarms: [],
    });
  });
});

describe("POST /api/tools/NAME", () => {
  it("calls the tool, and answers for people and programs", async () => {
    const { post } = place();
    const answer = await post("/api/tools/read", { paths: "vault/a.md" });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("1  | # Pump") }],
      structured: { files: [{ path: "vault/a.md" }] },
      isError: false,
    });
  });

  it("gives the results of a search as a list, right up to now", async () => {
    const { post } = place();
    await post("/api/tools/append", { path: "c.md", content: "A pump too", position: "bottom" });
    const { body } = await post("/api/tools/search", { queries: ["pump"] });
    expect(body).toMatchObject({ structured: expect.any(Array), isError: false });
    expect(JSON.stringify(body)).toContain("vault/c.md");
  });

  it("takes no body for no arguments", async () => {
    const { post } = place();
    expect((await post("/api/tools/tree")).body).toMatchObject({ isError: false });
  });

  it("answers what the tool refuses as a result, like everywhere", async () => {
    const { post } = place();
    const gone = await post("/api/tools/delete", { path: "gone.md" });
    expect(gone).toMatchObject({
      status: 200,
      body: { isError: true, structured: { error: { code: "not_found" } } },
    });
    const wrong = await post("/api/tools/delete", [1]);
    expect(wrong).toMatchObject({
      status: 200,
      body: { isError: true, structured: { error: { code: "invalid_argument" } } },
    });
  });

  it("has the tools of the profile that is named, update when none is", async () => {
    const { post, vault } = place();
    const args = { path: "n.md", content: "x" };
    const refused = await post("/api/tools/write?profile=search", args);
    expect(refused).toMatchObject({ status: 404, body: { code: "unknown_tool" } });
    expect((await vault.find("n.md")).kind).toBe("missing");
    const concat = await post("/api/tools/concat?profile=search", { files: [{ path: "a.md" }] });
    expect(concat).toMatchObject({ status: 200, body: { isError: false } });
    expect((await post("/api/tools/write", args)).body).toMatchObject({ isError: false });
    expect((await post("/api/tools/tree?profile=both")).body).toMatchObject({
      status: 400,
      code: "invalid_argument",
      detail: 'There is no profile "both": Invalid option: expected one of "update"|"search".',
    });
  });

  it("lets each client write over what it has read itself, and no other", async () => {
    const { post, vault } = place();
    const as = (name: string): Record<string, string> => ({ "coffre-client": name });
    const args = { path: "a.md", content: "new" };
    await post("/api/tools/read", { paths: ["a.md"] }, as("Zo%C3%A9"));
    const other = await post("/api/tools/write", args, as("Max"));
    expect(other.body).toMatchObject({
      isError: true,
      structured: { error: { code: "conflict" } },
    });
    const same = await post("/api/tools/write", args, as("Zo%C3%A9"));
    expect(same.body).toMatchObject({ isError: false });
    expect(await vault.log({ path: "a.md", limit: 1 })).toMatchObject([{ actor: "Zoé" }]);
    expect(readFileSync(path.join(vault.root, "a.md"), "utf8")).toContain("new");
  });

  it("takes those who do not say who they are for one client", async () => {
    const { post, vault } = place();
    await post("/api/tools/read", { paths: ["a.md"] });
    const written = await post("/api/tools/write", { path: "a.md", content: "new" });
    expect(written.body).toMatchObject({ isError: false });
    expect(await vault.log({ path: "a.md", limit: 1 })).toMatchObject([{ actor: "http" }]);
  });

  it("takes a name that is no encoding as it is, and no endless one", async () => {
    const { post, vault } = place();
    const args = { path: "n.md", content: "x" };
    await post("/api/tools/write", args, { "coffre-client": "100%" });
    expect(await vault.log({ path: null, limit: 1 })).toMatchObject([{ actor: "100%" }]);
    const long = await post("/api/tools/tree", {}, { "coffre-client": "x".repeat(201) });
    expect(long).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
  });
});

describe("POST /api/settle", () => {
  it("answers when the service has settled", async () => {
    const { post, service } = place();
    expect(await post("/api/settle")).toMatchObject({ status: 204, body: null });
    expect(service.settles).toBe(1);
  });
});

describe("POST /api/rescan", () => {
  it("compares everything, and says how much it found", async () => {
    const { post } = place();
    expect((await post("/api/rescan")).body).toEqual({ changed: 2, gone: 0 });
    expect((await post("/api/rescan")).body).toEqual({ changed: 0, gone: 0 });
  });
});

describe("what goes wrong", () => {
  it("is told as problem JSON with our code", async () => {
    const { post } = place();
    expect(await post("/api/tools/serach", {})).toEqual({
      status: 404,
      type: "application/problem+json",
      body: {
        title: "Not Found",
        status: 404,
        detail: expect.stringMatching(/^There is no tool "serach" here\. There are: tree, /u),
        code: "unknown_tool",
      },
    });
  });

  it.each(["{", "nonsense", "\u0000", '{"a": 1,}'])("names %j as no JSON", async (body) => {
    const { post } = place();
    const answer = await post("/api/tools/tree", body);
    expect(answer).toMatchObject({
      status: 400,
      type: "application/problem+json",
      body: { code: "invalid_argument", detail: expect.stringContaining("not JSON in UTF-8") },
    });
  });

  it("refuses bytes that are no UTF-8 rather than storing marks in their place", async () => {
    const { app, vault } = place();
    const body = Buffer.from('{"path":"n.md","content":"caf\u00e9"}', "latin1");
    const answer = await answerOf(await app.request("/api/tools/write", { method: "POST", body }));
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_argument" } });
    expect((await vault.find("n.md")).kind).toBe("missing");
  });

  it.each([
    ["GET", "/api/nothing"],
    ["GET", "/api/tools/read"],
    ["POST", "/api/status"],
    ["DELETE", "/"],
    ["POST", "/api/tools/read/more"],
  ])("is for %s %s that there is no such thing", async (method, where) => {
    const { app } = place();
    const answer = await answerOf(await app.request(where, { method }));
    expect(answer).toMatchObject({
      status: 404,
      type: "application/problem+json",
      body: { code: "not_found", detail: `There is no ${method} ${where} here.` },
    });
  });

  it("is a body over 8 MiB, whether its length is told or not", async () => {
    const { app, post, vault } = place();
    const args = JSON.stringify({ path: "n.md", content: "x".repeat(8 * MIB) });
    const told = await post("/api/tools/write", args, { "content-length": String(args.length) });
    const untold = await answerOf(
      await app.request("/api/tools/write", {
        method: "POST",
        body: ReadableStream.from(Array.from({ length: 9 }, () => Buffer.alloc(MIB, " "))),
        duplex: "half",
      }),
    );
    for (const answer of [told, untold]) {
      expect(answer).toMatchObject({ status: 413, body: { code: "too_large" } });
    }
    expect((await vault.find("n.md")).kind).toBe("missing");
  });

  it("is not a body of just 8 MiB", async () => {
    const { post } = place();
    const empty = JSON.stringify({ path: "gone.md", old_content: "", new_content: "" }).length;
    const old_content = "x".repeat(8 * MIB - empty);
    const args = JSON.stringify({ path: "gone.md", old_content, new_content: "" });
    expect(args).toHaveLength(8 * MIB);
    const answer = await post("/api/tools/edit", args, { "content-length": String(args.length) });
    expect(answer).toMatchObject({
      status: 200,
      body: { structured: { error: { code: "not_found" } } },
    });
  });

  it("goes to the log when nobody expected it, and says nothing of it to the caller", async () => {
    const { app, post, service, bugs } = place();
    service.status = async () => {
      throw new RangeError("boom");
    };
    const answer = await answerOf(await app.request("/api/status"));
    expect(answer).toMatchObject({ status: 500, body: { status: 500, code: "unavailable" } });
    expect(JSON.stringify(answer)).not.toContain("boom");
    service.onSearch = async () => {
      throw new RangeError("bang");
    };
    const search = await post("/api/tools/search", { queries: ["x"] });
    expect(search.body).toMatchObject({
      isError: true,
      structured: { error: { code: "unavailable" } },
    });
    expect(bugs).toEqual([new RangeError("boom"), new RangeError("bang")]);
  });
});
