/** A file that goes with an update. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly kind: "image" | "document";
  readonly file: File;
}

const IMAGE_TYPE = /^image\/(?:png|jpeg|gif|webp)$/u;

export function attachmentOf(file: File): Attachment {
  const kind = IMAGE_TYPE.test(file.type) ? "image" : "document";
  return { id: crypto.randomUUID(), name: nameFor(file), kind, file };
}

/** Pasted pictures are all called the same, or nothing. */
function nameFor({ name, type }: File): string {
  return name === "" ? `image.${type.split("/")[1] ?? "png"}` : name;
}
