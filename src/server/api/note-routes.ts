import type { Context, Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { slugOf } from "../../text/slug.ts";
import { formatBytes } from "../../text/tokens.ts";
import { isTextBytes } from "../../text/utf8.ts";
import { editProperties, isOtherNow, Properties } from "../../tools/edit-properties.ts";
import { sniffImage } from "../../vault/files/image.ts";
import { toLf } from "../../vault/files/lines.ts";
import { notText, type WholeText } from "../../vault/files/text-file.ts";
import { headLength, versionHash } from "../../vault/files/version.ts";
import { joinPath, parentOf, parsePath, showPath, type VaultPath } from "../../vault/paths.ts";
import type { CallersVault, VaultWriter } from "../../vault/vault.ts";
import { retryWhenChanged } from "../../vault/write/atomic-write.ts";
import { relativePath } from "../../index/relink/link-form.ts";
import { CALLERS, checked, clientOf, jsonBody } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import type { AttachedAnswer, NoteAnswer, PropertiesAnswer, SavedAnswer } from "./contract.ts";
import { withLines, withTask } from "./note-text.ts";

const NoteQuery = z.object({ path: z.string().min(1) });
const SaveBody = z.strictObject({
  path: z.string().min(1),
  body: z.string(),
  /** The version it was read at; null for a note that is not there yet. */
  base: z.string().nullable(),
});
const TaskBody = z.strictObject({
  path: z.string().min(1),
  line: z.int().min(1),
  text: z.string(),
  done: z.boolean(),
});
const PropertiesBody = z.strictObject({
  path: z.string().min(1),
  ...Properties.shape,
  /** The frontmatter as it was read: a key that holds something else by now is not written over. Left out, it is. */
  head: z.string().optional(),
});
const AttachQuery = z.object({ note: z.string().min(1), name: z.string().default("image") });

/** Bytes of a note that the page edits: its body is sent at every save. */
const MOST_NOTE = 2_000_000;
/** Bytes of a picture that is put into a note. */
const MOST_IMAGE = 25 * 1024 * 1024;

/**
 * What a person writes in the page. A note is saved with the version it was read at; when it is another by now, nothing is written, and the
 * answer has both, so that they can be merged.
 */
export function addNoteRoutes(app: Hono, { service }: Pick<AppOptions, "service">): void {
  const { vault } = service;

  app.get("/api/note", async (c) => {
    const { path } = checked(NoteQuery, c.req.query(), "Say which note, ?path=vault/…");
    return c.json<NoteAnswer>(await noteAt(vault, parsePath(path).path));
  });

  app.post("/api/note", async (c) => {
    const asked = checked(SaveBody, await jsonBody(c.req.raw), 'Send {"path", "body", "base"}');
    const path = await writable(vault, asked.path);
    const wanted = toLf(asked.body);
    const { base } = asked;
    if (base === null) {
      const { value, id } = await change(vault, c, "write", async ({ writer }) => {
        await writer.create(path, Buffer.from(wanted));
        return versionHash(Buffer.from(wanted));
      });
      return c.json<SavedAnswer>({ path: showPath(path), version: value, history: id });
    }
    const saved = await change(vault, c, "edit", async (writing) => {
      const seen = await writing.readWhole(path);
      if (versionHash(seen.bytes) !== base) return { theirs: noteOf(seen) };
      const head = headLength(seen.bytes);
      const present = seen.bytes.toString("utf8", head);
      return {
        version: await put(
          writing,
          seen,
          seen.bytes.toString("utf8", 0, head) + withLines(present, wanted),
        ),
      };
    });
    if ("theirs" in saved.value) return c.json(saved.value, 409);
    const { version } = saved.value;
    return c.json<SavedAnswer>({ path: showPath(path), version, history: saved.id });
  });

  app.post("/api/note/task", async (c) => {
    const asked = checked(
      TaskBody,
      await jsonBody(c.req.raw),
      'Send {"path", "line", "text", "done"}',
    );
    const path = await writable(vault, asked.path);
    const { value: version, id } = await change(vault, c, "edit", async (writing) => {
      const seen = await writing.readWhole(path);
      const text = withTask(seen.bytes.toString("utf8"), asked.line, asked.text, asked.done);
      if (text !== null) return put(writing, seen, text);
      throw new ExpectedError(
        "conflict",
        `${showPath(path)} was changed since you read it: that task is no longer there.`,
      );
    });
    return c.json<SavedAnswer>({ path: showPath(path), version, history: id });
  });

  app.post("/api/note/properties", async (c) => {
    const asked = checked(
      PropertiesBody,
      await jsonBody(c.req.raw),
      'Send {"path", "set", "remove", "head"}',
    );
    const path = await writable(vault, asked.path);
    const { set, remove, head } = asked;
    const { value, id } = await change(vault, c, "edit", async (writing) => {
      const seen = await writing.readWhole(path);
      const mark = seen.bytes.toString("utf8").startsWith("\uFEFF") ? "\uFEFF" : "";
      const text = mark + editProperties(seen.text, { set, remove }, showPath(path));
      if (head !== undefined && isOtherNow(head, seen.text, { set, remove }))
        return { theirs: { head: headOf(seen.bytes) } };
      const version = await put(writing, seen, text);
      return { version, head: headOf(Buffer.from(text)) };
    });
    if ("theirs" in value) return c.json(value, 409);
    return c.json<PropertiesAnswer>({ path: showPath(path), ...value, history: id });
  });

  app.post("/api/note/attachment", async (c) => {
    const asked = checked(AttachQuery, c.req.query(), "Say for which note, ?note=vault/…");
    const note = parsePath(asked.note).path;
    const bytes = await imageOf(c.req.raw);
    const extension = sniffImage(bytes)?.mimeType.split("/")[1]?.replace("jpeg", "jpg") ?? "png";
    const folder = await attachmentFolder(vault, note);
    const name = slugOf(asked.name.replace(/\.[^.]*$/u, ""), "image");
    const { value: path } = await change(vault, c, "attach", async ({ writer }) => {
      const free = await freePath(vault, folder, name, extension);
      await writer.create(free, bytes);
      return free;
    });
    const address = relativePath(parentOf(note), path).split("/").map(encodeURIComponent).join("/");
    return c.json<AttachedAnswer>({ path: showPath(path), markdown: `![](${address})` });
  });
}

async function change<T>(
  vault: CallersVault,
  c: Context,
  call: string,
  work: (change: VaultWriter) => Promise<T>,
): Promise<{ value: T; id: string | null }> {
  const actor = clientOf(c.req.raw, CALLERS.page);
  return retryWhenChanged(async () => vault.change({ actor, call, batch: null }, work));
}

async function writable(vault: CallersVault, given: string): Promise<VaultPath> {
  const { path, mustBeFolder } = parsePath(given);
  if (mustBeFolder || !/\.(?:md|markdown|txt)$/iu.test(path))
    throw new ExpectedError(
      "invalid_argument",
      `${showPath(path)} is no note; its name ends in .md.`,
    );
  if (await vault.isGenerated(path))
    throw new ExpectedError(
      "protected",
      "vault/tree.md is generated after every change; no tool writes it.",
    );
  return path;
}

/** Writes a note's whole text, when it differs. Returns its version then. */
async function put({ writer }: VaultWriter, seen: WholeText, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  if (!bytes.equals(seen.bytes)) await writer.update(seen, bytes);
  return versionHash(bytes);
}

async function noteAt(vault: CallersVault, path: VaultPath): Promise<NoteAnswer> {
  const { bytes, size } = await vault.readBytes(path, MOST_NOTE);
  if (size > MOST_NOTE) {
    throw new ExpectedError(
      "too_large",
      `${showPath(path)} has ${formatBytes(size)}; notes of up to ${formatBytes(MOST_NOTE)} are edited in the page.`,
    );
  }
  if (!isTextBytes(bytes)) throw notText(path);
  return noteOf({ path, bytes });
}

function noteOf({ path, bytes }: Pick<WholeText, "path" | "bytes">): NoteAnswer {
  const body = toLf(bytes.toString("utf8", headLength(bytes)));
  return { path: showPath(path), body, version: versionHash(bytes) };
}

/** The frontmatter with the lines around it, without a byte-order mark. */
function headOf(bytes: Buffer): string {
  return bytes.toString("utf8", 0, headLength(bytes)).replace(/^\uFEFF/u, "");
}

async function imageOf(request: Request): Promise<Buffer> {
  const tooLarge = Number(request.headers.get("content-length") ?? MOST_IMAGE + 1) > MOST_IMAGE;
  const bytes = tooLarge ? null : Buffer.from(await request.arrayBuffer());
  if (bytes === null) throw new ExpectedError("too_large", "The picture has more than 25 MiB.");
  if (sniffImage(bytes) === null) {
    throw new ExpectedError(
      "invalid_argument",
      "Only pictures (PNG, JPEG, GIF, WebP) can be put into a note.",
    );
  }
  return bytes;
}

const FOLDERS = ["attachments", "_attachments", "assets", "images", "media", "files"];

/** Where the pictures of a note go: the bucket of its project or of the vault, else the folder for attachments that is there, beside it first. */
async function attachmentFolder(vault: CallersVault, note: VaultPath): Promise<VaultPath> {
  const project = /^projects\/[^/]+(?=\/)/u.exec(note)?.[0];
  if (project !== undefined) return joinPath(project, "bucket");
  const beside = FOLDERS.map((name) => joinPath(parentOf(note), name));
  for (const folder of [...beside, ...FOLDERS, "bucket"])
    if ((await vault.find(folder)).kind === "folder") return folder;
  return joinPath(parentOf(note), "attachments");
}

async function freePath(
  vault: CallersVault,
  folder: VaultPath,
  name: string,
  extension: string,
): Promise<VaultPath> {
  for (let count = 1; ; count += 1) {
    const path = joinPath(folder, `${name}${count === 1 ? "" : `-${count}`}.${extension}`);
    if ((await vault.find(path)).kind === "missing") return path;
  }
}
