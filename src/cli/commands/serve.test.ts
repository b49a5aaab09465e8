import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

import { acquireOwnership, findOwner } from "../../jobs/owner-lock.ts";
import { startChild, type Child } from "../../testing/child.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { coffre, mainFile, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

const FILES = { "a.md": "The pump in the cellar\n" };

type Place = Pick<TemporaryPlace, "root" | "state">;

/** A service in a process of its own, when it is ready. */
async function serve({ root, state }: Place, ...more: string[]): Promise<Child> {
  const argv = ["serve", "--vault", root, "--state", state, ...more];
  const child = startChild(pathToFileURL(mainFile), argv);
  onTestFinished(async () => child.kill());
  await child.printed("\n");
  return child;
}

describe("coffre serve", () => {
  it("says in one line that it is ready, with the vault", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place);
    child.process.kill("SIGTERM");
    expect(await child.finished()).toBe(
      `Serving ${place.root} (pid ${child.process.pid}). Stop it with Ctrl-C.\n`,
    );
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "ends in good order with %s: exit 0, and nothing of it is left",
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
    const endpoint = findOwner(place.state)?.endpoint;
    child.process.kill("SIGTERM");
    expect(JSON.parse(await child.finished())).toEqual({
      vault: place.root,
      state: place.state,
      pid: child.process.pid,
      endpoint,
    });
  });

  it("makes a vault that is missing, and adds nothing to one that is there", async () => {
    const folder = temporaryFolder();
    const missing = { root: path.join(folder, "new", "notes"), state: path.join(folder, "state") };
    await serve(missing);
    expect(readFileSync(path.join(missing.root, "overview.md"), "utf8")).not.toBe("");
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
  it("while another serves the vault, with its pid", async () => {
    const place = temporaryPlace(FILES);
    const child = await serve(place);
    const { code, stdout, stderr } = await place.run(["serve"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(
      `A service of the vault ${place.root} is running already, with pid ${child.process.pid}.`,
    );
    const json = await place.run(["serve", "--json"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "busy" } });
    expect(findOwner(place.state)?.pid).toBe(child.process.pid);
  });

  it("while another is starting", async () => {
    const place = temporaryPlace(FILES);
    const ownership = acquireOwnership(place.state);
    onTestFinished(() => ownership?.release());
    const { code, stderr } = await place.run(["serve"]);
    expect(code).toBe(1);
    expect(stderr).toContain("is just starting");
  });

  it("with a state folder in the vault, and makes none", async () => {
    const { root } = temporaryPlace(FILES);
    const state = path.join(root, "state");
    const { code, stderr } = await coffre(["serve", "--vault", root, "--state", state]);
    expect(code).toBe(1);
    expect(stderr).toContain("lies inside the vault");
    expect(existsSync(state)).toBe(false);
  });

  it("when nothing can listen, and leaves the vault to others", async () => {
    const place = temporaryPlace(FILES);
    await place.run(["status"]);
    writeFileSync(path.join(place.state, "run"), "");
    const { code, stderr } = await place.run(["serve"]);
    expect(code).toBe(1);
    expect(stderr).toContain("nothing can listen there safely");
    const ownership = acquireOwnership(place.state);
    expect(ownership).not.toBeNull();
    ownership?.release();
  });
});
