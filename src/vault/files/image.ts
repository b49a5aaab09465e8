/** What the bytes of an image say, regardless of its name. */
export interface ImageFacts {
  readonly mimeType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  readonly width: number;
  readonly height: number;
}

/** Enough bytes to find the size in any image but a JPEG with very long metadata. */
export const IMAGE_HEAD = 256 * 1024;

/** Recognises PNG, JPEG, GIF and WebP by their bytes; null for anything else or a damaged header. */
export function sniffImage(bytes: Buffer): ImageFacts | null {
  const ascii = (from: number, to: number): string => bytes.toString("latin1", from, to);
  if (bytes.length < 24) return null;
  if (ascii(0, 8) === "\x89PNG\r\n\x1a\n" && ascii(12, 16) === "IHDR") {
    return facts("image/png", bytes.readUInt32BE(16), bytes.readUInt32BE(20));
  }
  if (ascii(0, 6) === "GIF87a" || ascii(0, 6) === "GIF89a") {
    return facts("image/gif", bytes.readUInt16LE(6), bytes.readUInt16LE(8));
  }
  if (ascii(0, 4) === "RIFF" && ascii(8, 12) === "WEBP" && bytes.length >= 30) {
    return webp(bytes, ascii(12, 16));
  }
  return bytes.readUInt16BE(0) === 0xffd8 ? jpeg(bytes) : null;
}

function facts(mimeType: ImageFacts["mimeType"], width: number, height: number): ImageFacts | null {
  return width > 0 && height > 0 ? { mimeType, width, height } : null;
}

function webp(bytes: Buffer, form: string): ImageFacts | null {
  if (form === "VP8X") {
    return facts("image/webp", bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
  }
  if (form === "VP8L" && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return facts("image/webp", (bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (form === "VP8 " && bytes.readUIntBE(23, 3) === 0x9d012a) {
    return facts("image/webp", bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  }
  return null;
}

/** Goes from segment to segment until a start-of-frame, which holds the size. */
function jpeg(bytes: Buffer): ImageFacts | null {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return facts("image/jpeg", bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    // Fill bytes and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
