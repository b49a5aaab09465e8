import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../../testing/cli.ts";

const FILES = { "journal/diary.md": "The kiln is secret.\n", "a.md": "The kiln.\n" };

describe("coffre private", () => {
  it("marks a folder, lists what is marked, and takes the mark away", async () => {
    const place = temporaryPlace(FILES);
    expect((await place.run(["private"])).stdout).toBe("No folder is private.\n");
    const marked = await place.run(["private", "add", "vault/journal/"]);
    expect(marked.stdout).toBe("Private, and hidden from models:\n  vault/journal/\n");
    const settings = readFileSync(path.join(place.state, "coffre.json"), "utf8");
    expect(JSON.parse(settings)).toMatchObject({ private: ["journal"] });
    expect(await place.json(["private", "list"])).toEqual({ paths: ["vault/journal/"] });
    expect((await place.run(["search", "kiln"])).stdout).toContain("journal/diary.md");
    expect((await place.run(["private", "remove", "journal"])).stdout).toBe(
      "No folder is private.\n",
    );
  });

  it("says what cannot be marked, and why", async () => {
    const place = temporaryPlace(FILES);
    const missing = await place.run(["private", "add", "jurnal"]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining("journal")]);
    expect((await place.run(["private", "add", "inbox"])).stderr).toContain("cannot be private");
    expect((await place.run(["private", "add", "vault/"])).stderr).toContain("cannot be private");
    expect((await place.run(["private", "remove", "journal"])).stderr).toContain("Nothing is.");
    expect((await place.run(["private", "add"])).code).toBe(2);
  });

  it("stays with a folder that is moved, and says when it is gone", async () => {
    const place = temporaryPlace(FILES);
    await place.run(["private", "add", "journal"]);
    await place.run(["move", "journal", "diary"]);
    expect(await place.json(["private"])).toEqual({ paths: ["vault/diary/"] });
    await place.run(["undo", "last"]);
    expect(await place.json(["private"])).toEqual({ paths: ["vault/journal/"] });
  });

  it("refuses a settings file that it cannot read, before anything is shown to anybody", async () => {
    const place = temporaryPlace(FILES);
    await place.run(["private", "add", "journal"]);
    const file = path.join(place.state, "coffre.json");
    writeFileSync(file, '{ "private": "journal" }');
    const refused = await place.run(["private"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('"private" in ')]);
  });
});
