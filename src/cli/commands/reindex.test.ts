import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { startService, temporaryPlace } from "../testing/cli.ts";

const FILES = {
  "a.md": "# Pompe\n\nLa pompe de la cave\n",
  "d/b.md": "Autre chose\n",
  "overview.md": "x\n",
};

describe("coffre reindex", () => {
  it("rebuilds the index and says how large it is", async () => {
    const { run, json } = temporaryPlace(FILES);
    expect((await run(["reindex"])).stdout).toMatch(
      /^Indexed 2 files in 2 sections, [\d.]+ kB\.\n$/u,
    );
    expect(await json(["reindex"])).toMatchObject({ files: 2, chunks: 2 });
  });

  it("says why when the state folder cannot be used, while a search goes on without it", async () => {
    const { run, state } = temporaryPlace(FILES);
    mkdirSync(path.join(state, "owner.sqlite"), { recursive: true });
    const { code, stderr } = await run(["reindex"]);
    expect(code).toBe(1);
    expect(stderr).toContain(`The state folder ${state} cannot be used`);
    expect((await run(["search", "pompe"])).stdout).toContain("vault/a.md");
  });

  it("shows progress on a terminal, and nothing in a pipe", async () => {
    const { run } = temporaryPlace(FILES);
    expect((await run(["reindex"], { terminal: true })).stderr).toContain("2 of 2 files");
    expect((await run(["reindex"])).stderr).toBe("");
  });
});

describe("coffre reindex while a service runs", () => {
  it("has it compare its index with every file", async () => {
    const place = temporaryPlace(FILES);
    await startService(place);
    expect(await place.run(["reindex"])).toEqual({
      code: 0,
      stdout: `The running service (pid ${process.pid}) compared its index with every file: 2 changed, 0 gone.\n`,
      stderr: "",
    });
    expect(await place.json(["reindex"])).toEqual({
      engine: "built-in",
      files: 2,
      chunks: 2,
      bytes: expect.any(Number),
      pending: 0,
      changed: 0,
      gone: 0,
    });
  });

  it("is refused when only a rebuild would help", async () => {
    const place = temporaryPlace(FILES);
    const { ownership } = await startService(place);
    const { code, stdout, stderr } = await place.run(["reindex", "--full"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`in use by the running service (pid ${process.pid}). Stop it`);
    const json = await place.run(["reindex", "--full", "--json"]);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: "busy" } });
    ownership.release();
    expect((await place.run(["reindex", "--full"])).stdout).toContain("Indexed 2 files");
  });
});

describe("the index of the shell", () => {
  it("is kept between commands, and looks at what changed", async () => {
    const { root, run, json } = temporaryPlace(FILES);
    expect((await run(["search", "pompe"])).stdout).toContain("vault/a.md");
    expect(await json(["status"])).toMatchObject({ index: { files: 2, pending: 0 } });
    writeFileSync(path.join(root, "a.md"), "Plus rien\n");
    writeFileSync(path.join(root, "c.md"), "Une pompe neuve\n");
    expect(await json(["status"])).toMatchObject({ index: { files: 2, pending: 2 } });
    const { stdout } = await run(["search", "pompe"]);
    expect(stdout).toContain("vault/c.md");
    expect(stdout).not.toContain("vault/a.md");
  });

  it("is rebuilt when it is damaged, and says so", async () => {
    const { state, run } = temporaryPlace(FILES);
    await run(["search", "pompe"]);
    writeFileSync(path.join(state, "index", "index.sqlite"), "abîmé".repeat(2000));
    const { stdout, stderr } = await run(["search", "pompe"]);
    expect(stderr).toContain("is rebuilt");
    expect(stdout).toContain("vault/a.md");
  });
});
