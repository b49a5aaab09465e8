import { burn } from "@kenjiuno/msgreader/lib/Burner.js";

/** An Outlook mail with a few properties, by the library's own writer. */
export function msgFile(properties: Readonly<Record<string, string>>): Buffer {
  const streams = [
    { name: "__properties_version1.0", bytes: Buffer.alloc(32) },
    ...Object.entries(properties).map(([id, text]) => ({
      name: `__substg1.0_${id}001F`,
      bytes: Buffer.from(text, "utf16le"),
    })),
  ];
  const root = { name: "Root Entry", type: 5, length: 0, children: streams.map((_, at) => at + 1) };
  const entries = streams.map(({ name, bytes }) => ({
    name,
    type: 2,
    length: bytes.length,
    // A copy: the writer takes the whole memory behind a buffer.
    binaryProvider: () => new Uint8Array(bytes),
  }));
  return Buffer.from(burn([root, ...entries]));
}
