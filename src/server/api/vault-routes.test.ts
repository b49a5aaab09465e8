import { expect, it } from "vitest";

import { demoImage } from "../../testing/demo-image.ts";
import type { Files } from "../../testing/temporary-vault.ts";
import { startPage, type Answer, type TestPage } from "../testing/page.ts";

const FILES = {
  "a.md": "# Pump\n\nin the cellar\n",
  "d/évier.md": "x\n",
  "d/page.html": "<script>alert(1)</script>",
  "d/photo.md.png": demoImage(),
  "d/blob.bin": Uint8Array.of(0, 1, 2, 255),
};

async function startWith(
  files: Files,
): Promise<TestPage & { readonly json: (where: string) => Promise<unknown> }> {
  const page = await startPage({ files });
  return { ...page, json: async (where) => JSON.parse((await page.call(where)).text) };
}

it("gives the tree as far as it is asked for", async () => {
  const { json } = await startWith(FILES);
  expect(await json("/api/tree?depth=1")).toMatchObject({
    path: "vault/",
    kind: "folder",
    files: 5,
    children: [
      { path: "vault/d/", kind: "folder", files: 4 },
      { path: "vault/a.md", kind: "file", tokens: 6 },
    ],
  });
  expect(await json(`/api/tree?path=${encodeURIComponent("vault/d/")}`)).toMatchObject({
    path: "vault/d/",
    children: [
      { path: "vault/d/blob.bin" },
      { path: "vault/d/page.html" },
      { path: "vault/d/photo.md.png", image: { width: 640, height: 400 } },
      { path: "vault/d/évier.md" },
    ],
  });
});

it("gives a file's text with its facts", async () => {
  const { json } = await startWith(FILES);
  expect(await json("/api/file?path=a.md")).toMatchObject({
    path: "vault/a.md",
    text: "# Pump\n\nin the cellar\n",
    bytes: 22,
    tokens: 6,
    changed: expect.stringMatching(/^\d{4}-\d\d-\d\dT/u),
  });
});

it.each([
  ["a.md", "text/markdown; charset=utf-8"],
  ["d/page.html", "text/plain; charset=utf-8"],
  ["d/photo.md.png", "image/png"],
  ["d/blob.bin", "application/octet-stream"],
])("serves %s as what its bytes are: %s", async (path, type) => {
  const { call } = await startPage({ files: FILES });
  const { status, headers } = await call(`/api/raw?path=${encodeURIComponent(path)}`);
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe(type);
  expect(headers["x-content-type-options"]).toBe("nosniff");
});

it.each([
  ["/api/file", 400, "Say which file"],
  ["/api/file?path=none.md", 404, "none.md"],
  ["/api/file?path=d", 400, "is a folder"],
  ["/api/file?path=d/photo.md.png", 422, "/api/raw?path="],
  ["/api/raw?path=../x", 400, "vault"],
  ["/api/raw?path=.git/config", 400, "vault"],
  ["/api/tree?path=none", 404, "none"],
  ["/api/tree?depth=x", 400, "depth"],
  ["/api/history?limit=0", 400, "limit"],
  ["/api/history/nope", 404, "nope"],
])("refuses %s with %i", async (where, status, why) => {
  const { call } = await startPage({ files: FILES });
  const answer: Answer = await call(where);
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/problem+json");
  expect(answer.text).toContain(why);
});

it("shows what was changed, line by line, and takes it back", async () => {
  const { call, json } = await startWith(FILES);
  const post = async (where: string, body: unknown): Promise<Answer> =>
    call(where, { method: "POST", body: JSON.stringify(body) });
  await post("/api/tools/append", { path: "a.md", content: "It hums", position: "bottom" });
  const log = await json("/api/history?path=vault/a.md");
  expect(log).toMatchObject([
    { call: "append", changes: [{ kind: "modify", path: "vault/a.md" }] },
  ]);
  const id = /"id":"(\w+)"/u.exec(JSON.stringify(log))?.[1] ?? "";
  expect(await json(`/api/history/${id}`)).toMatchObject([
    {
      id,
      changes: [
        {
          diff: expect.stringContaining("+It hums"),
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              lines: [
                { kind: "same", text: "# Pump" },
                { kind: "same", text: "" },
                { kind: "same", text: "in the cellar" },
                { kind: "added", text: "" },
                { kind: "added", text: "It hums" },
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect((await post("/api/undo", { id })).status).toBe(200);
  expect(await json("/api/file?path=a.md")).toMatchObject({ text: "# Pump\n\nin the cellar\n" });
  expect((await post("/api/undo", { id: "" })).status).toBe(400);
});

it("shows the changed part of a large file, whose place is not kept, and no line for a missing last newline", async () => {
  const large = `first\n${"a line of many\n".repeat(100_000)}`;
  const { call, json } = await startWith({ "large.md": large, "open.md": "one" });
  const changed = async (path: string, content: string): Promise<unknown> => {
    const body = JSON.stringify({ path, content, position: "top" });
    await call("/api/tools/append", { method: "POST", body });
    const log = JSON.stringify(await json(`/api/history?path=${path}`));
    return json(`/api/history/${/"id":"(\w+)"/u.exec(log)?.[1] ?? ""}`);
  };
  expect(await changed("large.md", "zero")).toMatchObject([
    {
      changes: [
        {
          inserted: "zero\n\n",
          hunks: [
            {
              oldStart: null,
              newStart: null,
              lines: [
                { kind: "added", text: "zero" },
                { kind: "added", text: "" },
              ],
            },
          ],
        },
      ],
    },
  ]);
  expect(await changed("open.md", "zero")).toMatchObject([
    {
      changes: [
        {
          diff: expect.stringContaining("No newline at end of file"),
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              lines: [
                { kind: "added", text: "zero" },
                { kind: "added", text: "" },
                { kind: "same", text: "one" },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

it("lists the files by their paths, a page at a time", async () => {
  const { json } = await startWith(FILES);
  expect(await json("/api/files?after=vault/d/page.html")).toMatchObject({
    files: [{ path: "vault/d/photo.md.png" }, { path: "vault/d/évier.md", bytes: 2 }],
    next: null,
  });
});

it("says of tree.md whether it is our listing or a note of the person's", async () => {
  const ours = await startWith({
    "tree.md": "```\nvault/                           [0 · —]\n```\n",
  });
  expect(await ours.json("/api/files")).toMatchObject({
    files: [{ path: "vault/tree.md", generated: true }],
  });
  const theirs = await startWith({ "tree.md": "# Trees\n\nThe oak.\n" });
  expect(await theirs.json("/api/files")).toEqual({
    files: [{ path: "vault/tree.md", bytes: 18, changed: expect.any(String) }],
    next: null,
    version: expect.any(String),
  });
});

it("tells how far an undo is to those who ask for events", async () => {
  const { vault, call } = await startWith(FILES);
  const { id } = await vault.change(
    { actor: "test", call: "move", batch: null },
    async ({ writer }) => writer.move("a.md", "b.md"),
  );
  const { text } = await call("/api/undo", {
    method: "POST",
    headers: { accept: "text/event-stream", "content-type": "application/json" },
    body: JSON.stringify({ id }),
  });
  expect(text).toMatch(/event: progress\ndata: \{"type":"progress","done":1,"total":1\}/u);
  expect(text).toMatch(/event: answer\ndata: \{"undone":/u);
  expect((await vault.find("a.md")).kind).toBe("file");
});
