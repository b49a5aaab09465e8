import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../../testing/cli.ts";

const files = { "profile.md": "x".repeat(40), "projects/garden/state.md": "y".repeat(8) };

describe("coffre tree", () => {
  it("shows the whole vault", async () => {
    const { run } = temporaryPlace(files);
    const { code, stdout, stderr } = await run(["tree"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.replaceAll(/ +\[.*\]/gu, "")).toBe(
      "vault/\n├── projects/\n│   └── garden/\n│       └── state.md\n└── profile.md\n",
    );
  });

  it("shows one folder, as deep as asked", async () => {
    const { run } = temporaryPlace(files);
    const { stdout } = await run(["tree", "vault/projects", "--depth", "1"]);
    expect(stdout.replaceAll(/ +\[.*\]/gu, "")).toBe(
      "vault/projects/\n└── garden/\n    └── ... 1 file\n",
    );
    expect((await run(["tree", "projects/", "--depth=0"])).stdout.split("\n")).toHaveLength(2);
  });

  it("gives programs the same as JSON", async () => {
    const { json } = temporaryPlace(files);
    expect(await json(["tree", "projects"])).toMatchObject({
      path: "vault/projects/",
      kind: "folder",
      tokens: 2,
      children: [{ path: "vault/projects/garden/", children: [{ tokens: 2 }] }],
    });
  });

  it("exits 1 for a missing path, naming near ones", async () => {
    const { run } = temporaryPlace(files);
    const { code, stdout, stderr } = await run(["tree", "project"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe("vault/project does not exist. Did you mean vault/projects?\n");
  });

  it("exits 1 with the code in JSON", async () => {
    const { run } = temporaryPlace(files);
    const { code, stdout, stderr } = await run(["tree", "../x", "--json"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "outside_vault" } });
  });

  it("exits 1 for a depth below zero, 2 for one that is no number", async () => {
    const { run } = temporaryPlace(files);
    expect((await run(["tree", "--depth", "-1"])).code).toBe(1);
    expect((await run(["tree", "--depth", "all"])).code).toBe(2);
  });
});
