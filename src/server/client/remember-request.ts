import type { Voice } from "../http/voice.ts";

/** A text to remember, with files of this machine that belong to it. */
export interface RememberRequest {
  readonly content: string;
  readonly files?: readonly NamedBlob[];
  readonly inboxRef?: string | null;
  /** The text of the files is the person's own. */
  readonly trust?: boolean;
  /** Whose word the text is; a client's when left out. */
  readonly voice?: Voice;
  /** The client says that the person said it. */
  readonly saidByPerson?: boolean;
  /** The text is not the person's own: it was piped in. */
  readonly untrusted?: boolean;
  /** Try it only, and wait for a yes. */
  readonly preview?: boolean;
}

export interface NamedBlob {
  readonly name: string;
  readonly blob: Blob;
}

/** What is sent: a form when files belong to it. */
export function rememberBody(
  request: RememberRequest,
): FormData | Readonly<Record<string, unknown>> {
  const { content, files = [], inboxRef = null, trust = false } = request;
  const { saidByPerson = false, untrusted = false, preview = false } = request;
  if (files.length === 0)
    return { content, inbox_ref: inboxRef, untrusted, said_by_person: saidByPerson, preview };
  return formOf(files, {
    content,
    ...(inboxRef === null ? {} : { inbox_ref: inboxRef }),
    ...(trust ? { trust: "true" } : {}),
    ...(saidByPerson ? { said_by_person: "true" } : {}),
    ...(untrusted ? { untrusted: "true" } : {}),
    ...(preview ? { preview: "true" } : {}),
  });
}

export function formOf(
  files: readonly NamedBlob[],
  fields: Readonly<Record<string, string>>,
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const { name, blob } of files) form.append("file", blob, name);
  return form;
}
