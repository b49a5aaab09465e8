import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { deflateSync } from "node:zlib";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { filesUnder } from "../../../forget/raw-files.ts";
import { docxFile } from "../../../ingest/testing/office-files.ts";
import { assembled } from "../../../ingest/testing/pdf-file.ts";
import { zipFile } from "../../../ingest/testing/zip-file.ts";
import { findOwner } from "../../../jobs/owner/owner-lock.ts";
import { rowsOf } from "../../../testing/raw-database.ts";
import { asOrdinaryUser } from "../../../testing/ordinary-user.ts";
import { field, serve, stampedPlace, temporaryPlace } from "../../testing/cli.ts";

const SECRET = "hunter2-zanzibar";

/** Files under these folders in whose bytes the text stands. */
function holding(text: string, ...folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => filesUnder(folder).files)
    .filter(({ place }) => readFileSync(place).includes(text))
    .map(({ name }) => name);
}

/** A PDF of one line, as programs write them. */
function compressedPdf(line: string): Buffer {
  const content = deflateSync(`BT /F 12 Tf 72 740 Td (${line}) Tj ET`);
  return assembled(
    [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
      `<</Length ${content.length}/Filter/FlateDecode>>stream\n${content.toString("latin1")}\nendstream`,
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ],
    "/Root 1 0 R",
  );
}

const grapheme = fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 });
const anyUnit = fc.oneof({ weight: 4, arbitrary: grapheme }, fc.constantFrom('"', "\\", "/"));

/** A file whose name is no UTF-8. */
function rawName(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, "latin1")]);
}

describe("coffre forget", () => {
  it("removes a text from notes, history, index, queue and drop of a running service, and proves it", async () => {
    const { root, state, run, json } = stampedPlace({
      "a.md": `# A\n\nThe password is ${SECRET}, keep it.\n`,
      "b.md": "# B\n\nNothing of it.\n",
      "data.bin": Buffer.concat([Buffer.of(0, 255), Buffer.from(SECRET), Buffer.of(0)]),
    });
    await serve({ root, state });
    const owner = findOwner(state);
    expect(owner).not.toBeNull();
    await json(["append", "b.md", `Once it was ${SECRET} here.`, "--bottom"]);
    await json(["write", "c.md", `# C\n\n${SECRET} in a note that goes.\n`]);
    await json(["delete", "c.md"]);
    await json(["remember", `A note about ${SECRET} to be filed`, "--wait"]);
    expect(await json(["search", SECRET])).not.toEqual([]);
    expect(holding(SECRET, state)).not.toEqual([]);

    const shown = await run(["forget", SECRET, "--dry-run"]);
    expect(shown.stdout).toContain("vault/a.md: the text in it");
    expect(shown.stdout).toContain("vault/data.bin: the whole file");
    expect(shown.stdout).toMatch(/\d+ changes of the history/u);
    expect(shown.stdout).toContain("1 updates of the queue");
    expect(shown.stdout).toMatch(/vault\/inbox\/.*hunter2-zanzibar.*: in its name/u);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toContain(SECRET);

    const { code, stdout, stderr } = await run(["forget", SECRET, "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("nothing of it is left");
    // Reading a database gives up no lock on it: the service still owns the vault.
    expect(findOwner(state)).toEqual(owner);
    expect(holding(SECRET, root, state)).toEqual([]);
    // The words of the index too.
    expect(holding("zanzibar", state)).toEqual([]);
    expect(await json(["search", SECRET])).toEqual([]);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toContain("The password is , keep it.");
    // What has nothing to do with it is found as before.
    expect(JSON.stringify(await json(["search", "Nothing of it"]))).toContain("vault/b.md");
    expect((await run(["forget", SECRET, "--yes"])).stdout).toContain("is kept.");
  });

  it("removes a file with every version it ever had, under every name, and leaves the others", async () => {
    const { root, state, run, json } = temporaryPlace({ "keep.md": "# Keep\n\nStays here.\n" });
    await json(["write", "old/name.md", "# Plan\n\nThe very first plan of the harbour\n"]);
    await json(["append", "old/name.md", "A second thought about lanterns", "--bottom"]);
    await json(["move", "old/name.md", "new/name.md"]);
    const kept = await json(["append", "keep.md", "A line more", "--bottom"]);
    const { code, stderr } = await run(["forget", "vault/new/name.md", "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(existsSync(path.join(root, "new/name.md"))).toBe(false);
    for (const text of ["first plan of the harbour", "second thought", "name.md"])
      expect(holding(text, root, state), text).toEqual([]);
    const log = JSON.stringify(await json(["log"]));
    expect(log).not.toContain("name.md");
    const undone = await run(["undo", field(kept, "history")]);
    expect([undone.code, undone.stderr]).toEqual([0, ""]);
  });

  it("removes what tidying proposed about it, and the inbox item that says so", async () => {
    const text = "A letter about the harbour lanterns\n";
    const files = { "bucket/a.md": text, "bucket/b.md": text, "overview.md": "# O\n" };
    const { root, state, run } = temporaryPlace({
      ...files,
      "projects/x/changelog.md": `# 2026-11-08\n\n${text}\n# 2026-11-08\n\nMore.\n`,
    });
    await run(["tidy"]);
    expect(holding("harbour lanterns", path.join(root, "inbox"))).toHaveLength(1);
    for (const name of ["bucket/a.md", "bucket/b.md", "projects/x/changelog.md"])
      expect((await run(["forget", name, "--yes"])).code).toBe(0);
    expect(holding("harbour lanterns", root, state)).toEqual([]);
  });

  it("removes a text also where only a proposal of tidying quotes it", async () => {
    const log = `# 2026-11-08\n\nOf ${SECRET}.\n\n# 2026-11-08\n\nMore.\n`;
    const { root, state, run } = temporaryPlace({ "projects/x/changelog.md": log });
    await run(["tidy"]);
    expect(holding(SECRET, root)).toHaveLength(2);
    expect((await run(["forget", SECRET, "--yes"])).stdout).toContain("nothing of it is left");
    expect(holding(SECRET, root, state)).toEqual([]);
  });

  it("keeps what was declined of tidying, and proposals that hold nothing of it", async () => {
    const letter = "A letter about the harbour lanterns\n";
    const { root, state, run } = temporaryPlace({
      "bucket/a.md": letter,
      "bucket/b.md": letter,
      "a.md": `${SECRET}\n`,
    });
    await run(["tidy"]);
    const kept = (): unknown => JSON.parse(readFileSync(path.join(state, "tidy.json"), "utf8"));
    const before = kept();
    expect((await run(["forget", SECRET, "--yes"])).code).toBe(0);
    expect(kept()).toEqual(before);
    expect(readdirSync(path.join(root, "inbox"))).toHaveLength(1);

    await run(["inbox", "answer", field(before, "item", "ref"), "no"]);
    expect(kept()).toMatchObject({ declined: [expect.any(String)] });
    writeFileSync(path.join(root, "a.md"), `${SECRET}\n`);
    expect((await run(["forget", "bucket/a.md", "--yes"])).code).toBe(0);
    expect(kept()).toMatchObject({ item: null, declined: [expect.any(String)] });
  });

  it("takes a file out of a folder that was deleted, whose undo then brings back the rest", async () => {
    const { root, state, run, json } = temporaryPlace({
      "folder/secret.md": `${SECRET}\n`,
      "folder/other.md": "The other one\n",
    });
    const gone = await json(["delete", "folder"]);
    const { code, stderr } = await run(["forget", "folder/secret.md", "--path", "--yes"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(holding(SECRET, state)).toEqual([]);
    expect((await run(["undo", field(gone, "history")])).code).toBe(0);
    expect(existsSync(path.join(root, "folder/secret.md"))).toBe(false);
    expect(readFileSync(path.join(root, "folder/other.md"), "utf8")).toContain("The other one");
  });

  it("asks at a terminal, and removes nothing unless yes is typed", async () => {
    const { root, run } = temporaryPlace({ "a.md": `${SECRET}\n` });
    const no = await run(["forget", SECRET], { terminal: true, stdin: "y\n" });
    expect([no.code, no.stderr]).toEqual([1, expect.stringContaining("Nothing was removed.")]);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toContain(SECRET);
    expect((await run(["forget", SECRET])).code).toBe(2);
    const yes = await run(["forget", SECRET], { terminal: true, stdin: "yes\n" });
    expect(yes.code).toBe(0);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).not.toContain(SECRET);
  });

  it("refuses the whole vault, short texts and paths that never were, and names what it cannot reach", async () => {
    const { root, run, json } = temporaryPlace({
      "a.md": "x\n",
      ".git/packed": `${SECRET}\n`,
    });
    const refused = async (...argv: string[]): Promise<string> => {
      const { code, stderr } = await run(["forget", ...argv, "--yes"]);
      expect(code).toBe(1);
      return stderr;
    };
    expect(await refused("vault/")).toContain("whole");
    expect(await refused("abc")).toContain("fewer than 4 characters");
    expect(await refused("never.md", "--path")).toContain("nothing was");
    writeFileSync(path.join(root, "a.md"), `${SECRET}\n`);
    const found = await json(["forget", SECRET, "--dry-run"]);
    expect(field(found, "untouched", 0)).toBe(".git/packed");
  });

  it("removes compressed and encoded files that say it, with what the history keeps of them, and leaves the others", async () => {
    const word = (text: string): Buffer =>
      docxFile({ body: `<w:p><w:r><w:t>The password is ${text}, keep it.</w:t></w:r></w:p>` });
    const mail = [
      "From: a@example.org",
      "To: b@example.org",
      "Subject: Hello",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(`It is ${SECRET}.`).toString("base64"),
    ].join("\r\n");
    const { root, state, run, json } = temporaryPlace({
      "bucket/letter.docx": word(SECRET),
      "bucket/page.pdf": compressedPdf(`It is ${SECRET}.`),
      "bucket/packed.zip": zipFile({ "inner/letter.docx": word(SECRET) }),
      "bucket/mail.eml": mail,
      "bucket/gone.docx": word(`${SECRET} too`),
      "bucket/other.docx": word("another one"),
      "a.md": "Nothing of it\n",
    });
    expect(holding(SECRET, root)).toEqual([]);
    await json(["delete", "bucket/gone.docx"]);
    const shown = await json(["forget", SECRET, "--dry-run"]);
    expect(shown).toMatchObject({
      files: ["letter.docx", "mail.eml", "packed.zip", "page.pdf"].map((name) => ({
        path: `vault/bucket/${name}`,
        whole: true,
      })),
      history: { changes: 1, versions: 1 },
      unread: [],
      unreadVersions: 0,
    });
    const { code, stdout, stderr } = await run(["forget", SECRET, "--yes"]);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringContaining("nothing of it is left"),
      "",
    ]);
    expect(readdirSync(path.join(root, "bucket"))).toEqual(["other.docx"]);
    const kept = rowsOf(path.join(state, "history.sqlite"), "SELECT hash FROM blobs");
    expect(kept).toEqual([]);
  });

  it("names compressed files that cannot be looked into, and claims nothing of them", async () => {
    const { root, run, json } = temporaryPlace({
      "a.md": `${SECRET}\n`,
      "bucket/heard.md": `---\nsource:\n  name: "heard.mp3"\n  original: "heard.mp3"\n---\n\n${SECRET}\n`,
      "bucket/heard.mp3": Buffer.of(0xff, 0xfb, 0x90, 0),
      "bucket/half.docx": docxFile().subarray(0, 400),
      "bucket/gone.docx": docxFile().subarray(0, 300),
      "bucket/packed.tar.gz": Buffer.of(0x1f, 0x8b, 8, 0),
    });
    await json(["delete", "bucket/gone.docx"]);
    const { code, stderr } = await run(["forget", SECRET, "--yes"]);
    expect(code).toBe(1);
    expect(stderr).not.toContain("nothing of it is left");
    for (const name of ["bucket/heard.mp3", "bucket/half.docx", "bucket/packed.tar.gz"])
      expect(stderr).toContain(`${name}: cannot be read, so it may stand there`);
    expect(stderr).toContain("1 versions of compressed files in the history: cannot be read");
    expect(holding(SECRET, root)).toEqual([]);
    expect(existsSync(path.join(root, "bucket/half.docx"))).toBe(true);
  });

  it("cuts a text out of a note that quotes the beginning of a PDF", async () => {
    const { root, run } = temporaryPlace({ "a.md": `A file begins with %PDF-1.7, ${SECRET}.\n` });
    expect((await run(["forget", SECRET, "--yes"])).code).toBe(0);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toContain("%PDF-1.7, .");
  });

  it("looks into files whose names are no UTF-8, and names what it cannot read", async () => {
    const { root, run, json } = temporaryPlace({
      "a.md": `${SECRET}\n`,
      "closed.md": `${SECRET}\n`,
      ".hidden/closed": "x\n",
    });
    await asOrdinaryUser(path.dirname(root), async () => {
      writeFileSync(rawName(root, "caf\u00e9.md"), `${SECRET}\n`);
      writeFileSync(rawName(root, `\u00e9 ${SECRET}.txt`), "x\n");
      writeFileSync(rawName(root, "other \u00e9.md"), "x\n");
      for (const name of ["closed.md", ".hidden"]) chmodSync(path.join(root, name), 0);
      const found = await json(["forget", SECRET, "--dry-run"]);
      expect(found).toMatchObject({
        files: [{ path: "vault/a.md", whole: false }],
        untouched: expect.toSatisfy((names: string[]) => names.length === 2),
        unread: [".hidden", "closed.md"],
      });
      const { code, stderr } = await run(["forget", SECRET, "--yes"]);
      expect(code).toBe(1);
      expect(stderr).toContain("closed.md: cannot be read, so it may stand there");
      for (const name of ["closed.md", ".hidden"]) chmodSync(path.join(root, name), 0o700);
    });
    expect(readFileSync(path.join(root, "a.md"), "utf8")).not.toContain(SECRET);
  });

  it("of a path, leaves updates, lines and files that mention a longer one", async () => {
    const { state, run, json } = temporaryPlace({
      "projects/old/a.md": "# A\n\nThe old harbour lanterns\n",
      "projects/old plans/a.md": "# Plans\n\nStay.\n",
    });
    const queued = async (content: string): Promise<void> => {
      await json(["remember", content, "--wait"]);
    };
    await queued("About vault/projects/older/b.md and vault/projects/old plans/a.md, which stay");
    await queued("About vault/projects/old-ish.md");
    await queued("About vault/projects/old/a.md, which goes");
    await queued("It was in vault/projects/old.");
    const rescued = path.join(state, "rescued");
    mkdirSync(rescued);
    writeFileSync(path.join(rescued, "one"), "see vault/projects/older/b.md\n");
    writeFileSync(path.join(rescued, "two"), "see vault/projects/old/a.md\n");
    const shown = await json(["forget", "vault/projects/old/", "--dry-run"]);
    expect(shown).toMatchObject({ queue: 2, state: ["rescued/two"] });
    const { code, stdout, stderr } = await run(["forget", "vault/projects/old/", "--yes"]);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("is forgotten"), ""]);
    expect(readdirSync(rescued)).toEqual(["one"]);
    const left = JSON.stringify(
      rowsOf(path.join(state, "queue.sqlite"), "SELECT input FROM tasks"),
    );
    expect(left).toContain("older/b.md");
    expect(left).toContain("old-ish.md");
    expect(left).not.toContain("which goes");
    expect(left).not.toContain("It was in");
  });

  it("removes a text that is also the name of a column, which is not counted as left", async () => {
    const { root, run, json } = temporaryPlace({ "a.md": "start\n" });
    await json(["append", "a.md", "before name after", "--bottom"]);
    const { code, stderr } = await run(["forget", "--text", "--yes", "--", "name"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toContain("before  after");
  });

  it("leaves no text of one line that was ever written, whatever its characters", async () => {
    await fc.assert(
      fc.asyncProperty(
        // Quotes and backslashes are written otherwise in JSON, which queue, log and history are of.
        fc.string({ unit: anyUnit, minLength: 4, maxLength: 40 }).filter((text) => {
          const plain = text.trim() === text && text.isWellFormed();
          return plain && !/\p{Cc}/u.test(text) && text.length >= 4;
        }),
        async (text) => {
          const { root, state, run, json } = temporaryPlace({ "a.md": "start\n" });
          await json(["append", "a.md", "more", "--top"]);
          // Names of columns and calls stand in every state folder.
          fc.pre(holding(text, state).length === 0);
          await json(["append", "a.md", `before ${text} after`, "--bottom"]);
          const { code, stderr } = await run(["forget", "--text", "--yes", "--", text]);
          expect([code, stderr]).toEqual([0, ""]);
          expect(holding(text, root, state)).toEqual([]);
        },
      ),
      { numRuns: 8 },
    );
  });
});
