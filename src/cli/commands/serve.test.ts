import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { acquireOwnership, findOwner } from "../../jobs/owner/owner-lock.ts";
import { startChild } from "../../testing/processes/child.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { coffre, mainFile, serve, temporaryPlace } from "../testing/cli.ts";

const FILES = { "a.md": "The pump in the cellar\n" };

/** What is said until `text` comes. */
async function textUntil({ body }: Response, text: string): Promise<string> {
  let said = "";
  for await (const chunk of body ?? []) {
    said += Buffer.from(chunk).toString();
    if (said.includes(text)) break;
  }
  return said;
}

describe("coffre serve", () => {
  it("says that it is ready, with the vault, the page, and a link that lets in", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place);
    child.process.kill("SIGTERM");
    const lines = (await child.finished()).split("\n");
    const address = /^The page is at (http:\/\/127\.0\.0\.1:\d+)\.$/u.exec(lines[1] ?? "")?.[1];
    expect(lines).toEqual([
      `Serving ${place.root} (pid ${child.process.pid}). Stop it with Ctrl-C.`,
      `The page is at ${address}.`,
      "This link works once, for 10 minutes:",
      expect.stringMatching(`^${address}/enter\\?code=[\\w-]{43}$`),
      "Your notes stay as they are: only notes that coffre makes get frontmatter. To choose: coffre adopt.",
      "",
    ]);
  });

  it.each([
    ["own", "Only notes that coffre makes get frontmatter. To change that: coffre adopt."],
    ["none", "No note gets frontmatter. To change that: coffre adopt."],
  ])("says what was chosen, and how to change it: %s", async (choice, said) => {
    const child = await serve(temporaryPlace(FILES), "--frontmatter", choice);
    child.process.kill("SIGTERM");
    expect((await child.finished()).split("\n")).toContain(said);
  });

  it("says how to take all back when it begins to write into notes that were there before, and one undo does", async () => {
    const place = temporaryPlace(FILES);
    const first = await serve(place, "--frontmatter", "all");
    first.process.kill("SIGTERM");
    const said = (await first.finished()).split("\n").find((line) => line.startsWith("All notes"));
    const id = /^All notes get frontmatter, .*: coffre undo (\S+)$/u.exec(said ?? "")?.[1];
    expect(id).toEqual(expect.any(String));
    const second = await serve(place);
    await vi.waitFor(
      async () => expect(await place.json(["log"])).toMatchObject([{ batch: id, actor: "cli" }]),
      { timeout: 30_000, interval: 50 },
    );
    await vi.waitFor(
      async () => expect(await place.json(["status"])).toMatchObject({ index: { pending: 0 } }),
      { timeout: 30_000, interval: 50 },
    );
    expect((await place.run(["undo", id ?? ""])).code).toBe(0);
    expect(readFileSync(path.join(place.root, "a.md"), "utf8")).toBe(FILES["a.md"]);
    expect(existsSync(path.join(place.root, "tree.md"))).toBe(false);
    expect(await place.json(["status"])).toMatchObject({ frontmatter: { setting: "own" } });
    second.process.kill("SIGTERM");
    await second.finished();
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends cleanly with %s: exit 0, and nothing of it is left",
    async (signal) => {
      const place = temporaryPlace(FILES);
      const child = await serve(place);
      const owner = findOwner(place.state);
      expect(owner?.pid).toBe(child.process.pid);
      expect(statSync(owner?.endpoint ?? "").isSocket()).toBe(true);
      child.process.kill(signal);
      await child.finished();
      expect(child.process.exitCode).toBe(0);
      expect(existsSync(owner?.endpoint ?? "")).toBe(false);
      expect(existsSync(path.join(place.state, "owner.json"))).toBe(false);
      expect((await place.run(["status"])).stdout).toContain("no service running");
    },
  );

  it("answers the other commands while it runs", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place);
    expect((await place.run(["search", "pump"])).stdout).toContain("vault/a.md");
    await place.run(["append", "b.md", "A heron on the chimney", "--bottom"]);
    expect((await place.run(["search", "heron"])).stdout).toContain("vault/b.md");
    expect(await place.json(["status"])).toMatchObject({
      service: { pid: child.process.pid, version: expect.stringMatching(/^\d/u), alarms: [] },
    });
    writeFileSync(path.join(place.root, "c.md"), "A stork on the roof\n");
    expect((await place.run(["reindex"])).code).toBe(0);
    expect((await place.run(["search", "stork"])).stdout).toContain("vault/c.md");
  });

  it("gives programs where it is as JSON", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place, "--json");
    const { endpoint, address = "" } = findOwner(place.state) ?? {};
    child.process.kill("SIGTERM");
    expect(JSON.parse(await child.finished())).toEqual({
      vault: place.root,
      state: place.state,
      pid: child.process.pid,
      endpoint,
      address,
      link: expect.stringContaining(`${address}/enter?code=`),
    });
  });

  it("answers over HTTP whoever has the token, and tells of changes", async () => {
    const place = temporaryPlace(FILES);
    await serve(place);
    const url = findOwner(place.state)?.address ?? "";
    const token = readFileSync(path.join(place.state, "token"), "utf8").trim();
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${url}/api/status`)).status).toBe(401);
    expect((await fetch(`${url}/api/status`, { headers })).status).toBe(200);
    const events = await fetch(`${url}/api/events`, { headers });
    const heard = textUntil(events, '"vault/heron.md"');
    writeFileSync(path.join(place.root, "heron.md"), "A heron on the chimney\n");
    expect(await heard).toContain("event: file\n");
  });

  it.each([
    ["--token", ["--token", "mine"], []],
    ["COFFRE_TOKEN", [], ["env", "COFFRE_TOKEN=mine"]],
  ])("takes the token of %s, and keeps it nowhere", async (_, options, command) => {
    const place = temporaryPlace(FILES);
    const argv = ["serve", "--port", "0", "--vault", place.root, "--state", place.state];
    const child = startChild(pathToFileURL(mainFile), [...argv, ...options], command);
    onTestFinished(async () => child.kill());
    await child.printed("\n");
    const url = findOwner(place.state)?.address ?? "";
    const headers = { authorization: "Bearer mine" };
    expect((await fetch(`${url}/api/status`, { headers })).status).toBe(200);
    expect(existsSync(path.join(place.state, "token"))).toBe(false);
  });

  it("ends cleanly though somebody listens to its events", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place, "--token", "mine");
    const url = findOwner(place.state)?.address ?? "";
    const headers = { authorization: "Bearer mine" };
    const events = await fetch(`${url}/api/events`, { headers });
    child.process.kill("SIGTERM");
    await child.finished();
    await events.text().catch(() => "");
    expect(child.process.exitCode).toBe(0);
  });

  it("logs an error that nobody caught, and ends with its locks, so that another takes its place", async () => {
    const place = temporaryPlace(FILES);
    const preload = path.join(temporaryFolder(), "preload.mjs");
    writeFileSync(
      preload,
      'process.on("SIGUSR2", () => void Promise.reject(new Error("as provoked")));\n',
    );
    const argv = ["serve", "--port", "0", "--vault", place.root, "--state", place.state];
    const child = startChild(pathToFileURL(mainFile), argv, [
      "env",
      `NODE_OPTIONS=--import=${pathToFileURL(preload).href}`,
    ]);
    onTestFinished(async () => child.kill());
    await child.printed("\n");
    child.process.kill("SIGUSR2");
    await once(child.process, "close");
    expect(child.process.exitCode).toBe(1);
    const log = readFileSync(path.join(place.state, "log", "service.log"), "utf8");
    expect(log).toMatch(/"message":"as provoked".*"msg":"uncaught: ends"\}\n$/u);
    const after = await serve(place);
    expect(findOwner(place.state)?.pid).toBe(after.process.pid);
  });

  it("adds nothing to a vault that is there", async () => {
    const place = temporaryPlace(FILES);
    await serve(place);
    expect(existsSync(path.join(place.root, "overview.md"))).toBe(false);
  });

  it("takes the place of one that was killed", async () => {
    const place = temporaryPlace(FILES);
    const first = await serve(place);
    await first.kill();
    expect((await place.run(["status"])).stdout).toContain("no service running");
    expect((await place.run(["search", "pump"])).stdout).toContain("vault/a.md");
    const second = await serve(place);
    expect(findOwner(place.state)?.pid).toBe(second.process.pid);
  });
});

describe("coffre serve is refused", () => {
  it("on a folder that does not exist, with a near name and the command that makes it", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "notes"));
    const missing = path.join(folder, "ntoes");
    const { code, stderr } = await coffre(["serve", "--port", "0", "--vault", missing]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `There is no vault in ${missing}. Did you mean ${folder}/notes? Make one with: coffre init ${missing}\n`,
    );
    expect(existsSync(missing)).toBe(false);
  });

  it("on a port in use, and leaves the vault to others", async () => {
    const [first, second] = [temporaryPlace(FILES), temporaryPlace(FILES)];
    await serve(first);
    const { port } = new URL(findOwner(first.state)?.address ?? "");
    const { code, stdout, stderr } = await second.run(["serve", "--port", port]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use`);
    expect(stderr).toContain("--port");
    const ownership = acquireOwnership(second.state);
    expect(ownership).not.toBeNull();
    ownership?.release();
  });

  it("for other machines without a token", async () => {
    const place = temporaryPlace(FILES);
    const { code, stderr } = await place.run(["serve", "--host", "0.0.0.0", "--port", "0"]);
    expect(code).toBe(1);
    expect(stderr).toContain("choose a token");
  });

  it.each([
    ["--port", "65536"],
    ["--port", "-1"],
    ["--host", ""],
  ])("with %s %j", async (option, value) => {
    const place = temporaryPlace(FILES);
    const { code, stderr } = await place.run(["serve", option, value]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${option} takes`);
  });

  it("while another serves the vault, with its pid", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place);
    const { code, stdout, stderr } = await place.run(["serve", "--port", "0"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      `A service of the vault ${place.root} is running already, with pid ${child.process.pid}.`,
    );
    const json = await place.run(["serve", "--port", "0", "--json"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "busy" } });
    expect(findOwner(place.state)?.pid).toBe(child.process.pid);
  });

  it("with a state folder in the vault, and makes none", async () => {
    const { root } = temporaryPlace(FILES);
    const state = path.join(root, "state");
    const { code, stderr } = await coffre([
      "serve",
      "--port",
      "0",
      "--vault",
      root,
      "--state",
      state,
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain("lies inside the vault");
    expect(existsSync(state)).toBe(false);
  });

  it("when nothing can listen, and leaves the vault to others", async () => {
    const place = temporaryPlace(FILES);
    await place.run(["status"]);
    writeFileSync(path.join(place.state, "run"), "");
    const { code, stderr } = await place.run(["serve", "--port", "0"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing can listen there safely");
    const ownership = acquireOwnership(place.state);
    expect(ownership).not.toBeNull();
    ownership?.release();
  });
});
