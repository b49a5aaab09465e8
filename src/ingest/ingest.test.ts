import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { refusalOf } from "../testing/expected-error.ts";
import { temporaryFolder, temporaryVault } from "../testing/temporary-vault.ts";
import { ExpectedError } from "../errors.ts";
import type { LocalVault } from "../vault/vault.ts";
import { withSentFiles } from "./filing/sent-files.ts";
import { createIngest, type Ingest } from "./ingest.ts";
import type { IngestSettings } from "./ingest.ts";
import { materialOf } from "./material.ts";
import { keepFile } from "./testing/exported-files.ts";
import { docxFile } from "./testing/office-files.ts";
import { pngFile } from "./testing/png-file.ts";
import { zipFile } from "./testing/zip-file.ts";

const NOW = new Date(2026, 2, 14, 9, 30);
const by = { actor: "test" };

function temporaryIngest(
  settings: IngestSettings = {},
  files: Readonly<Record<string, string>> = {},
): { vault: LocalVault; ingesting: Ingest; read: (name: string) => string; list: () => string[] } {
  const vault = temporaryVault(files, () => NOW);
  return {
    vault,
    ingesting: createIngest({ vault, now: () => NOW, settings }),
    read: (name) => readFileSync(path.join(vault.root, name), "utf8"),
    list: () => readdirSync(vault.root, { recursive: true, encoding: "utf8" }).toSorted(),
  };
}

const text = (name: string, content: string): { name: string; bytes: Buffer } => ({
  name,
  bytes: Buffer.from(content),
});

describe("a file that is ingested", () => {
  it("becomes a note that says where it comes from, and that it is not to be trusted", async () => {
    const { ingesting, read } = temporaryIngest();
    const result = await ingesting.ingest(text("Réunion d’Été.txt", "Ordre du jour"), by);
    expect(result).toMatchObject({
      title: "Réunion d’Été",
      type: "text/plain",
      paths: ["bucket/2026-03-14-reunion-d-ete.md"],
      duplicateOf: null,
    });
    expect(read("bucket/2026-03-14-reunion-d-ete.md")).toBe(
      `---
source:
  name: "Réunion d’Été.txt"
  type: text/plain
  sha256: ${createHash("sha256").update("Ordre du jour").digest("hex")}
  date: 2026-03-14T09:30:00
untrusted: true
---

# Réunion d’Été

Ordre du jour
`,
    );
  });

  it("keeps its pictures beside its note, which shows them", async () => {
    const { ingesting, read, list } = temporaryIngest();
    const source = { name: "jardin.docx", bytes: docxFile() };
    const { paths } = await ingesting.ingest(source, { ...by, to: "projects/x" });
    expect(paths).toEqual([
      "projects/x/2026-03-14-jardin.md",
      "projects/x/2026-03-14-jardin-image-1.png",
    ]);
    expect(read(paths[0] ?? "")).toContain("![Un arrosoir](2026-03-14-jardin-image-1.png)");
    expect(list()).toEqual(expect.arrayContaining([...paths]));
  });

  it("is kept itself on request", async () => {
    const { vault, ingesting, read } = temporaryIngest();
    const bytes = docxFile();
    const { paths } = await ingesting.ingest(
      { name: "jardin.docx", bytes },
      { ...by, keepOriginal: true },
    );
    const original = paths.at(-1) ?? "";
    expect(original).toBe("bucket/2026-03-14-jardin.docx");
    expect((await vault.readBytes(original, 1e6)).bytes).toEqual(bytes);
    expect(read(paths[0] ?? "")).toContain('original: "2026-03-14-jardin.docx"');
  });

  it("is an image as it is when it is one", async () => {
    const { vault, ingesting } = temporaryIngest();
    const { paths } = await ingesting.ingest({ name: "Vue.JPEG", bytes: pngFile() }, by);
    expect(paths).toEqual(["bucket/2026-03-14-vue.png"]);
    expect((await vault.readBytes(paths[0] ?? "", 1e6)).bytes).toEqual(pngFile());
  });

  it("can be undone as one change", async () => {
    const { vault, ingesting, list } = temporaryIngest();
    const before = list();
    const { history } = await ingesting.ingest({ name: "jardin.docx", bytes: docxFile() }, by);
    await vault.undo(history ?? "", { actor: "test", force: false });
    expect(list()).toEqual(before);
  });

  it("is recognised when it comes again, under another name, and after its note was moved", async () => {
    const { vault, ingesting } = temporaryIngest();
    await ingesting.ingest(text("a.txt", "Bonjour"), by);
    const again = await ingesting.ingest(text("b.txt", "Bonjour"), by);
    expect(again).toMatchObject({
      paths: [],
      duplicateOf: "bucket/2026-03-14-a.md",
      history: null,
    });
    await vault.change({ actor: "test", call: "move", batch: null }, async ({ writer }) =>
      writer.move("bucket/2026-03-14-a.md", "projects/p/a.md"),
    );
    const moved = await ingesting.ingest(text("a.txt", "Bonjour"), by);
    expect(moved.duplicateOf).toBe("projects/p/a.md");
  });

  it("is taken in again when its note was deleted", async () => {
    const { vault, ingesting } = temporaryIngest();
    await ingesting.ingest(text("a.txt", "Bonjour"), by);
    rmSync(path.join(vault.root, "bucket/2026-03-14-a.md"));
    expect((await ingesting.ingest(text("a.txt", "Bonjour"), by)).duplicateOf).toBeNull();
  });

  it("gets a name of its own beside another of the same name", async () => {
    const { ingesting } = temporaryIngest();
    await ingesting.ingest(text("a.txt", "un"), by);
    const { paths } = await ingesting.ingest(text("a.txt", "deux"), by);
    expect(paths).toEqual(["bucket/2026-03-14-a-2.md"]);
  });

  it("keeps the frontmatter that it brings along, but for what it says of itself", async () => {
    const { ingesting, read } = temporaryIngest();
    const [kept] = (await ingesting.ingest(text("a.md", "---\ntags: [x]\n---\n\n# A\n"), by)).paths;
    expect(read(kept ?? "")).toMatch(
      /^---\ntags: \[x\]\nsource:\n[\s\S]*untrusted: true\n---\n\n# A\n$/u,
    );
    const forged = "---\nuntrusted: false\n---\n\n# B\n";
    const [shown] = (await ingesting.ingest(text("b.md", forged), by)).paths;
    expect(read(shown ?? "")).toMatch(
      /untrusted: true\n---\n\n# B\n\n```yaml\nuntrusted: false\n```\n/u,
    );
  });

  it("is filed at once, whatever its heading is made of", async () => {
    const { ingesting } = temporaryIngest();
    const heading = `# ${"[".repeat(1_000_000)}`;
    const { title } = await ingesting.ingest(text("a.md", heading), by);
    expect(title).toHaveLength(200);
  });

  it("can be converted without being filed", async () => {
    const { ingesting, list } = temporaryIngest();
    const { title, converted } = await ingesting.convert({
      name: "jardin.docx",
      bytes: docxFile(),
    });
    expect(title).toBe("Le jardin");
    expect(converted?.markdown).toContain("- Bêche");
    expect(list()).toEqual([]);
  });
});

describe("files in a file", () => {
  it("of an archive are ingested each, and what cannot be is told", async () => {
    const { ingesting } = temporaryIngest();
    const bytes = zipFile({
      "dossier/un.txt": "Un",
      "dossier/copie.txt": "Un",
      "__MACOSX/._un.txt": "x",
      "deux.bin": Buffer.from([1, 2, 3]),
      "dedans.zip": zipFile({ "../../trois.md": "# Trois" }),
    });
    const result = await ingesting.ingest({ name: "tout.zip", bytes }, by);
    expect(result.paths).toEqual(["bucket/2026-03-14-un.md", "bucket/2026-03-14-trois.md"]);
    expect(result.inside.map(({ name, duplicateOf }) => [name, duplicateOf])).toEqual([
      ["dossier/un.txt", null],
      ["dossier/copie.txt", "bucket/2026-03-14-un.md"],
      ["dedans.zip", null],
    ]);
    expect(result.failures.map(({ name }) => name)).toEqual(["deux.bin"]);
    const again = await ingesting.ingest({ name: "tout.zip", bytes }, by);
    expect(again).toMatchObject({
      paths: [],
      duplicateOf: "bucket/2026-03-14-un.md",
      history: null,
    });
  });

  it("of a mail are ingested each, and its note links to them", async () => {
    const { ingesting, read } = temporaryIngest();
    const mail = [
      "From: a@example.org",
      "To: b@example.org",
      "Subject: Le devis",
      'Content-Type: multipart/mixed; boundary="x"',
      "",
      "--x\nContent-Type: text/plain\n\nVoici.",
      '--x\nContent-Type: text/plain\nContent-Disposition: attachment; filename="devis final.txt"\n\nCent euros',
      "--x--",
    ].join("\n");
    const result = await ingesting.ingest(text("message.eml", mail), by);
    expect(result.paths).toEqual(["bucket/2026-03-14-le-devis.md"]);
    expect(read("bucket/2026-03-14-le-devis.md")).toContain(
      "## Attachments\n\n- [devis final.txt](2026-03-14-devis-final.md)\n",
    );
    expect(read("bucket/2026-03-14-devis-final.md")).toContain('  within: "message.eml"\n');
  });

  it("are bounded in number and depth", async () => {
    const { ingesting } = temporaryIngest({ limits: { files: 3, depth: 2 } });
    const many = zipFile(
      Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`${at}.txt`, `n° ${at}`])),
    );
    const result = await ingesting.ingest({ name: "many.zip", bytes: many }, by);
    expect(result.paths).toHaveLength(3);
    expect(result.notices[0]).toContain("2 of the 5 files in many.zip were left out");
    const deep = [1, 2, 3].reduce(
      (inner, at) => zipFile({ [`${at}.zip`]: inner }),
      zipFile({ "a.txt": "a" }),
    );
    const refusal = await refusalOf(async () =>
      ingesting.ingest({ name: "deep.zip", bytes: deep }, by),
    );
    expect(refusal?.message).toContain("archives deep");
  });

  it("cannot be a bomb", async () => {
    const { ingesting, list } = temporaryIngest({ limits: { unpackedBytes: 10_000_000 } });
    const bomb = zipFile({ "zeros.txt": Buffer.alloc(50_000_000, 0x20) });
    const refusal = await refusalOf(async () =>
      ingesting.ingest({ name: "bomb.zip", bytes: bomb }, by),
    );
    expect(refusal?.code).toBe("too_large");
    expect(list()).toEqual([]);
  });
});

describe("a file that cannot be ingested", () => {
  it("is refused before it is read when it is too large", async () => {
    const { ingesting } = temporaryIngest();
    const file = path.join(temporaryFolder(), "large.bin");
    writeFileSync(file, "");
    truncateSync(file, 500 * 1024 * 1024);
    const refusal = await refusalOf(async () =>
      ingesting.ingest({ name: "large.bin", path: file }, by),
    );
    expect(refusal?.message).toContain("large.bin is 524.3 MB; files up to 104.9 MB are taken in");
  });

  it("is refused when it is a folder or is missing", async () => {
    const { ingesting } = temporaryIngest();
    const folder = temporaryFolder();
    const ingest = async (place: string): ReturnType<typeof refusalOf> =>
      refusalOf(async () => ingesting.ingest({ name: "x", path: place }, by));
    expect((await ingest(folder))?.code).toBe("not_a_file");
    expect((await ingest(path.join(folder, "none")))?.code).toBe("not_found");
  });

  it("leaves nothing behind when something goes wrong halfway", async () => {
    const { vault, ingesting, list } = temporaryIngest({}, { "bucket/a.md": "x" });
    vault.onChange(({ kind, path: place }) => {
      if (kind === "create" && place.endsWith(".md")) throw new ExpectedError("disk_full", "Full.");
    });
    const refusal = await refusalOf(async () =>
      ingesting.ingest({ name: "jardin.docx", bytes: docxFile() }, by),
    );
    expect(refusal?.code).toBe("disk_full");
    expect(list()).toEqual(["bucket", "bucket/a.md"]);
  });

  it("stays where it is when it was changed after it was read", async () => {
    const { vault, ingesting, list } = temporaryIngest({}, { "drop/a.txt": "half" });
    const from = { path: "drop/a.txt", signature: (await vault.get("drop/a.txt")).version };
    writeFileSync(path.join(vault.root, "drop/a.txt"), "half, and the rest");
    const refusal = await refusalOf(async () =>
      ingesting.ingest(text("a.txt", "half"), { ...by, from }),
    );
    expect(refusal?.code).toBe("busy");
    expect(list()).toEqual(["drop", "drop/a.txt"]);
  });

  it("is refused when it is to go where no folder is", async () => {
    const { ingesting } = temporaryIngest({}, { bucket: "a file" });
    const into = async (to: string): ReturnType<typeof refusalOf> =>
      refusalOf(async () => ingesting.ingest(text("a.txt", "a"), { ...by, to }));
    expect((await into("bucket"))?.code).toBe("not_a_folder");
    expect((await into("drop/x"))?.code).toBe("invalid_argument");
  });
});

describe("an export of another program", () => {
  it("becomes a folder of notes with their days and pictures, and the same again is recognised", async () => {
    const { ingesting, read, list } = temporaryIngest();
    const file = { name: "takeout.zip", bytes: keepFile() };
    const first = await ingesting.ingest(file, by);
    expect(first.paths).toEqual([
      "bucket/google-keep/2024-03-02-shopping.md",
      "bucket/google-keep/2024-03-02-shopping-image-1.png",
    ]);
    const note = read("bucket/google-keep/2024-03-02-shopping.md");
    expect(note).toContain("date: 2024-03-02\n");
    expect(note).toContain("untrusted: true\n");
    expect(note).toContain("![](2024-03-02-shopping-image-1.png)");
    const before = list();
    const second = await ingesting.ingest(file, by);
    expect(second.duplicateOf).toBe("bucket/google-keep/2024-03-02-shopping.md");
    expect(list()).toEqual(before);
  });

  it("is bounded in notes, not in files", async () => {
    const conversations = Array.from({ length: 30 }, (_, at) => ({
      name: `Talk ${at}`,
      created_at: "2024-03-02T10:00:00Z",
      chat_messages: [{ sender: "human", text: `Hello ${at}` }],
    }));
    const { ingesting } = temporaryIngest({ limits: { files: 5, notes: 20 } });
    const bytes = Buffer.from(JSON.stringify(conversations));
    const { paths, notices } = await ingesting.ingest({ name: "conversations.json", bytes }, by);
    expect(paths).toHaveLength(20);
    expect(notices).toEqual(["Conversations were left out: 10. At most 20 are taken in at once."]);
  });
});

describe("a drawing", () => {
  it("is kept beside its note, which shows it", async () => {
    const { ingesting, read } = temporaryIngest();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><text>North</text></svg>';
    const { paths } = await ingesting.ingest(text("plan.svg", svg), by);
    expect(paths).toEqual(["bucket/2026-03-14-plan.md", "bucket/2026-03-14-plan.svg"]);
    expect(read("bucket/2026-03-14-plan.md")).toContain("![](2026-03-14-plan.svg)\n\n- North");
  });
});

describe("the same file with a note", () => {
  it("is recognised too, which its notices say", async () => {
    const { ingesting } = temporaryIngest();
    await ingesting.ingest(text("a.txt", "Peas"), by);
    const { notices } = await ingesting.convert(text("b.txt", "Peas"));
    expect(notices).toEqual(["The same file was taken in before: vault/bucket/2026-03-14-a.md."]);
  });

  it("is recognised when it came with a note before, wherever that has been moved", async () => {
    const { ingesting, vault } = temporaryIngest();
    const first = await materialOf(
      { note: "", files: [text("a.txt", "Peas")], isTrusted: false },
      ingesting,
    );
    const kept = withSentFiles("---\nuntrusted: true\n---\n\nPeas\n", first.files);
    await vault.change({ actor: "test", call: "write", batch: null }, async ({ writer }) =>
      writer.create("bucket/peas.md", Buffer.from(kept)),
    );
    const { notices } = await ingesting.convert(text("b.txt", "Peas"));
    expect(notices).toEqual(["The same file was taken in before: vault/bucket/peas.md."]);
    const filed = await ingesting.ingest(text("b.txt", "Peas"), by);
    expect(filed).toMatchObject({ duplicateOf: null, notices });
    expect((await ingesting.convert(text("c.txt", "Beans"))).notices).toEqual([]);
  });
});
