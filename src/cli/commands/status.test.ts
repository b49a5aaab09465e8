import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../testing/cli.ts";

const files = { "a.md": "x".repeat(4000), "b/c.md": "1234", "b/d/e.md": "1234" };

describe("coffre status", () => {
  it("tells which vault it is, how large, and what is remembered of it", async () => {
    const { root, state, run } = temporaryPlace(files);
    await run(["move", "b/c.md", "b/f.md"]);
    const { code, stdout } = await run(["status"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Version  \d+\.\d+\.\d+/mu);
    expect(stdout).toContain(
      `Vault    ${root}\nContent  3 files in 2 folders, 1k tokens\nState    ${state}\nHistory  1 change, 0 B\n`,
    );
  });

  it("gives programs the same as JSON", async () => {
    const { root, state, json } = temporaryPlace(files);
    expect(await json(["status"])).toEqual({
      version: expect.stringMatching(/^\d/u),
      vault: root,
      state,
      files: 3,
      folders: 2,
      tokens: 1002,
      history: { entries: 0, bytes: 0 },
      index: { engine: "built-in", files: 0, chunks: 0, bytes: expect.any(Number), pending: 3 },
    });
  });

  it("exits 2 with an argument", async () => {
    const { run } = temporaryPlace();
    expect((await run(["status", "now"])).code).toBe(2);
  });
});
