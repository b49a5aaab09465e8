import { describe, expect, it } from "vitest";

import { startPage, type TestPage } from "../testing/page.ts";
import { FilesAnswer, type FilePage } from "./contract.ts";

async function list(page: TestPage, query: Readonly<Record<string, string>>): Promise<FilePage> {
  const { text } = await page.call(`/api/files?${new URLSearchParams(query).toString()}`);
  return FilesAnswer.parse(JSON.parse(text));
}

const FILES = { "a.md": "a\n", "b/c.md": "c\n", "d.md": "d\n" };

describe("GET /api/files", () => {
  it("lists all files in pieces, in order", async () => {
    const page = await startPage({ files: FILES });
    const first = await list(page, { limit: "2" });
    expect(first.files.map(({ path }) => path)).toEqual(["vault/a.md", "vault/b/c.md"]);
    const second = await list(page, { limit: "2", after: first.next ?? "" });
    expect(second.files.map(({ path }) => path)).toContain("vault/d.md");
    expect(second.next).toBeNull();
    expect(first.gone).toBeUndefined();
  });

  it("answers with what changed since a version, and with what is gone", async () => {
    const page = await startPage({ files: FILES });
    const { version = "" } = await list(page, {});
    expect(await list(page, { since: version })).toEqual({
      files: [],
      gone: [],
      next: null,
      version,
    });
    page.report({ changed: ["a.md", "never.md"], created: [], gone: ["e.md"] });
    const changes = await list(page, { since: version });
    expect(changes.files.map(({ path }) => path)).toEqual(["vault/a.md"]);
    expect(changes.gone).toEqual(["vault/e.md", "vault/never.md"]);
    expect(changes.version).not.toBe(version);
  });

  it.each(["", "0-0", "another-7", "nonsense"])(
    "lists all when nobody knows any more what changed since %j",
    async (since) => {
      const page = await startPage({ files: FILES });
      const answer = await list(page, { since });
      expect(answer.gone).toBeUndefined();
      expect(answer.files.length).toBeGreaterThanOrEqual(3);
    },
  );

  it("lists all after a change of too many files to name", async () => {
    const page = await startPage({ files: FILES });
    const { version = "" } = await list(page, {});
    const changed = Array.from({ length: 1001 }, (_, at) => `n${at}.md`);
    page.report({ changed, created: [], gone: [] });
    expect((await list(page, { since: version })).gone).toBeUndefined();
  });
});
