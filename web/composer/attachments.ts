/** A file that goes with an update. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  /** `other` has to be converted by the service before it can be filed. */
  readonly kind: "image" | "text" | "other";
  readonly file: File;
}

/** Bytes: what the service takes in one request, with room for the rest of it. */
export const MOST_BYTES = 5_500_000;

const TEXT_NAME =
  /\.(?:md|markdown|txt|csv|tsv|json|ya?ml|toml|log|ini|xml|html?|[jt]sx?|py|sh|css|sql)$/iu;
const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/u;

export function attachmentOf(file: File): Attachment {
  return { id: crypto.randomUUID(), name: nameFor(file), kind: kindOf(file), file };
}

/** Pasted pictures are all called the same, or nothing. */
function nameFor({ name, type }: File): string {
  return name === "" ? `image.${type.split("/")[1] ?? "png"}` : name;
}

export function kindOf({ name, type }: Pick<File, "name" | "type">): Attachment["kind"] {
  if (IMAGE_TYPE.test(type)) return "image";
  return type.startsWith("text/") || TEXT_NAME.test(name) ? "text" : "other";
}

/** What the attachments add to an update. */
export interface HandedOver {
  /** The texts, each under its name when there are several. */
  readonly text: string;
  readonly images: readonly { readonly name: string; readonly data: string }[];
  readonly names: readonly string[];
}

export async function readAttachments(attachments: readonly Attachment[]): Promise<HandedOver> {
  const texts: string[] = [];
  const images: { name: string; data: string }[] = [];
  const files = attachments.filter(({ kind }) => kind !== "other");
  const isOnly = files.filter(({ kind }) => kind === "text").length === 1;
  for (const { name, kind, file } of files) {
    if (kind === "image") images.push({ name, data: await base64Of(file) });
    else texts.push(isOnly ? await file.text() : `## ${name}\n\n${(await file.text()).trim()}`);
  }
  return { text: texts.join("\n\n"), images, names: files.map(({ name }) => name) };
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  // In pieces: one call with millions of arguments overflows the stack.
  for (let at = 0; at < bytes.length; at += 0x80_00) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x80_00));
  }
  return btoa(text);
}
