import { sniffImage } from "../../vault/files/image.ts";
import { imageAddress, type FoundImage } from "./converted.ts";

const EXTENSION = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

/** More pictures than this are decoration. */
const MOST_IMAGES = 100;

/** Collects the pictures of one document; the same picture twice is kept once. */
export class ImageCollector {
  readonly images: FoundImage[] = [];

  /** Where the picture will be found, or null when it is none that is kept: too many, or of another kind. */
  add(bytes: Uint8Array): string | null {
    const known = this.images.find((image) => Buffer.compare(image.bytes, bytes) === 0);
    if (known !== undefined) return imageAddress(known.name);
    const facts = sniffImage(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    if (facts === null || this.images.length >= MOST_IMAGES) return null;
    const name = `image-${this.images.length + 1}.${EXTENSION[facts.mimeType]}`;
    this.images.push({ name, bytes });
    return imageAddress(name);
  }

  /** Takes a picture that is written into its address (`data:image/png;base64,…`). */
  addData(address: string): string | null {
    const encoded = /^data:image\/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)$/u.exec(address)?.[1];
    return encoded === undefined ? null : this.add(Buffer.from(encoded, "base64"));
  }
}
