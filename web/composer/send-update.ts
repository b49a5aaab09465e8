import { RequestProblem } from "../api/problem.ts";
import { postJson, send } from "../api/request.ts";
import { texts } from "../texts/texts.ts";
import { MOST_BYTES, readAttachments, type Attachment } from "./attachments.ts";
import type { ComposerState } from "./composer-model.ts";

/** What came of handing something over. */
export interface Sent {
  /** The update that files it; null when there were only files to convert. */
  readonly id: string | null;
  /** The notes that files were converted to. */
  readonly ingested: readonly string[];
}

type Handed = Pick<ComposerState, "note" | "attachments" | "answering">;

/** Hands a note and its files over. Throws a `RequestProblem` that says what to do. */
export async function sendUpdate({ note, attachments, answering }: Handed): Promise<Sent> {
  const bytes = attachments.reduce(
    (sum, { kind, file }) => sum + (kind === "other" ? 0 : file.size),
    0,
  );
  if (bytes > MOST_BYTES) throw new RequestProblem("too_large", texts.composer.tooLarge);
  const ingested = await ingest(attachments.filter(({ kind }) => kind === "other"));
  const { text, images, names } = await readAttachments(attachments);
  const content = [note, text].filter((part) => part.trim() !== "").join("\n\n");
  if (content === "" && images.length === 0) return { id: null, ingested };
  const { id } = await postJson<{ id: string }>("/api/update", {
    content,
    images,
    sources: names,
    // Others may have written what is in a file: for such text only inbox and buckets are written.
    untrusted: text !== "",
    ...(answering === null ? {} : { inbox_ref: answering.ref }),
  });
  return { id, ingested };
}

/** Has the service make notes of files that are neither text nor images. The paths of the notes. */
async function ingest(attachments: readonly Attachment[]): Promise<string[]> {
  if (attachments.length === 0) return [];
  const form = new FormData();
  for (const { name, file } of attachments) form.append("file", file, name);
  try {
    const response = await send("/api/ingest", { method: "POST", body: form });
    const { files }: { files: readonly { paths: readonly string[] }[] } = await response.json();
    return files.flatMap(({ paths }) => paths);
  } catch (error) {
    if (!(error instanceof RequestProblem) || error.code !== "not_found") throw error;
    const names = attachments.map(({ name }) => name).join(", ");
    throw new RequestProblem("unavailable", texts.composer.cannotConvert(names));
  }
}
