import { isImageExtension } from "../vault/files/image.ts";

const BINARY = new Set(
  `7z aac avi avif bin bmp bz2 db dll dmg doc docx epub exe flac gz heic ico iso jar m4a mkv mov mp3 mp4 mpeg msg odp ods odt ogg
   ogv opus otf pdf ppt pptx psd rar so sqlite sqlite3 tar tgz tif tiff ttf wasm wav webm wma woff woff2 xls xlsx xz zip zst`
    .split(/\s+/u)
    .map((name) => `.${name}`),
);

/** Extensions of files that are never text: a note must not take one. */
export function isBinaryExtension(extension: string): boolean {
  return BINARY.has(extension) || isImageExtension(extension);
}
