/** Bytes in which the first tag of a drawing stands. */
const HEAD = 4096;

const SVG_START =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE svg[^>[]*(?:\[[^\]]*\])?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:svg:)?svg\b/iu;

export const DRAWING = { mimeType: "image/svg+xml", extension: ".svg" } as const;

/** Whether a text is a drawing (SVG), by its beginning. */
export function isDrawing(head: string): boolean {
  return SVG_START.test(head);
}

/** The same of bytes, which are UTF-8. */
export function isDrawingFile(bytes: Buffer): boolean {
  return isDrawing(bytes.toString("utf8", 0, HEAD));
}
