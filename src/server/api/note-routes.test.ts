import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { startPage, type Answer, type TestPage } from "../testing/page.ts";
import { AttachedAnswer, NoteAnswer, PropertiesAnswer, SavedAnswer } from "./contract.ts";

const NOTE =
  "---\nstatus: open\nupdated: 2026-01-02T03:04:05\n---\n\nFirst.\r\n\nSecond.\n\n- [ ] task\n";

async function setup(files: Readonly<Record<string, string>> = { "projects/x/n.md": NOTE }) {
  const page = await startPage({ files });
  const post = async (where: string, body: unknown): Promise<Answer> =>
    page.call(where, {
      method: "POST",
      headers: { "content-type": "application/json", "coffre-client": "page" },
      body: JSON.stringify(body),
    });
  const read = (file: string): string => readFileSync(path.join(page.vault.root, file), "utf8");
  return { page, post, read };
}

async function noteOf(page: TestPage, file: string): Promise<NoteAnswer> {
  const { text } = await page.call(`/api/note?path=${encodeURIComponent(file)}`);
  return NoteAnswer.parse(JSON.parse(text));
}

const FILE = "vault/projects/x/n.md";

describe("a note that is written in the page", () => {
  it("is saved below its frontmatter, and only the lines that were changed differ", async () => {
    const { page, post, read } = await setup();
    const { body, version } = await noteOf(page, FILE);
    expect(body).toBe("\nFirst.\n\nSecond.\n\n- [ ] task\n");
    const changed = body.replace("Second.", "Second, changed.");
    const saved = await post("/api/note", { path: FILE, body: changed, base: version });
    const answer = SavedAnswer.parse(JSON.parse(saved.text));
    expect(read("projects/x/n.md")).toBe(NOTE.replace("Second.", "Second, changed."));
    expect((await noteOf(page, FILE)).version).toBe(answer.version);
    const [entry] = await page.vault.log({ path: null, limit: 1 });
    expect(entry).toMatchObject({ id: answer.history, actor: "page", call: "edit" });
  });

  it("is not written over somebody else's change: the answer has what is there", async () => {
    const { page, post, read } = await setup();
    const { version, body } = await noteOf(page, FILE);
    await post("/api/note", { path: FILE, body: `${body}Theirs.\n`, base: version });
    const refused = await post("/api/note", { path: FILE, body: `${body}Mine.\n`, base: version });
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.text)).toEqual({ theirs: await noteOf(page, FILE) });
    expect(read("projects/x/n.md")).toContain("Theirs.");
    expect(read("projects/x/n.md")).not.toContain("Mine.");
  });

  it("is created where nothing is", async () => {
    const { post, read } = await setup();
    const made = { path: "vault/new/a.md", body: "# A\n", base: null };
    expect((await post("/api/note", made)).status).toBe(200);
    expect(read("new/a.md")).toBe("# A\n");
    expect((await post("/api/note", made)).status).toBe(409);
    expect((await post("/api/note", { ...made, path: "vault/a.png" })).status).toBe(400);
    expect((await post("/api/note", { ...made, path: "vault/tree.md" })).status).toBe(403);
    expect((await post("/api/note", { ...made, path: "../a.md" })).status).toBe(400);
  });

  it("has its tasks ticked by their line", async () => {
    const { post, read } = await setup();
    const tick = { path: FILE, line: 10, text: "- [ ] task", done: true };
    expect((await post("/api/note/task", tick)).status).toBe(200);
    expect(read("projects/x/n.md")).toBe(NOTE.replace("[ ]", "[x]"));
    expect((await post("/api/note/task", tick)).status).toBe(409);
  });

  it("has its properties set and removed, and no others changed", async () => {
    const { post, read } = await setup();
    const set = { path: FILE, set: { due: "2026-05-06", tags: ["a", "b: c"] }, remove: ["status"] };
    expect((await post("/api/note/properties", set)).status).toBe(200);
    expect(read("projects/x/n.md")).toMatch(
      /^---\nupdated: 2026-01-02T03:04:05\ndue: 2026-05-06\ntags:\n {2}- a\n {2}- "b: c"\n---\n\nFirst\.\r\n/u,
    );
    const ours = { path: FILE, set: { updated: "2020-01-01" } };
    expect((await post("/api/note/properties", ours)).status).toBe(403);
  });

  it("keeps a property that somebody else changed since it was read: the answer has what is there", async () => {
    const { post, read } = await setup();
    const head = "---\nstatus: open\nupdated: 2026-01-02T03:04:05\n---\n";
    const mine = { path: FILE, set: { status: "done" }, head };
    await post("/api/note/properties", { path: FILE, set: { status: "late", due: "May" }, head });
    const refused = await post("/api/note/properties", mine);
    expect(refused.status).toBe(409);
    const { theirs } = JSON.parse(refused.text);
    expect(theirs.head).toBe(/^---\n[^]*?\n---\n/u.exec(read("projects/x/n.md"))?.[0]);
    expect(theirs.head).toContain("status: late\n");
    const gone = await post("/api/note/properties", { path: FILE, remove: ["due"], head });
    expect(gone.status).toBe(409);
    expect(read("projects/x/n.md")).toContain("status: late\n");
    expect(read("projects/x/n.md")).toContain("due: May\n");
    // Others may have changed, and with what is there now it is saved.
    const other = await post("/api/note/properties", { path: FILE, set: { kind: "x" }, head });
    expect(other.status).toBe(200);
    const again = { ...mine, head: PropertiesAnswer.parse(JSON.parse(other.text)).head };
    expect((await post("/api/note/properties", again)).status).toBe(200);
    expect(read("projects/x/n.md")).toContain("status: done\n");
  });
});

describe("a picture that is put into a note", () => {
  const PNG = "\u0089PNG\r\n\u001A\n";
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );

  async function attach(page: TestPage, note: string, body: Uint8Array): Promise<Response> {
    const where = `http://${page.host}/api/note/attachment?note=${encodeURIComponent(note)}&name=My%20photo.png`;
    return fetch(where, {
      method: "POST",
      headers: { authorization: `Bearer correct-horse-battery-staple` },
      body: new Uint8Array(body),
    });
  }

  it.each([
    ["vault/projects/x/n.md", "vault/projects/x/bucket/my-photo.png", "![](bucket/my-photo.png)"],
    ["vault/d/n.md", "vault/d/assets/my-photo.png", "![](assets/my-photo.png)"],
    ["vault/é à/n.md", "vault/bucket/my-photo.png", "![](../bucket/my-photo.png)"],
  ])("for %s is kept in %s", async (note, expected, markdown) => {
    const { page } = await setup({ "d/assets/x.md": "x\n", "bucket/y.md": "y\n", "a.md": "a\n" });
    const answer = AttachedAnswer.parse(await (await attach(page, note, png)).json());
    expect(answer).toEqual({ path: expected, markdown });
    const again = AttachedAnswer.parse(await (await attach(page, note, png)).json());
    expect(again.path).toBe(expected.replace(".png", "-2.png"));
  });

  it("is refused when it is none", async () => {
    const { page } = await setup();
    expect((await attach(page, FILE, Buffer.from(`<svg>${PNG}`))).status).toBe(400);
  });
});
