import { burn } from "@kenjiuno/msgreader/lib/Burner.js";

/** An Outlook mail with a few properties, by the library's own writer. @param attached how many files of one letter are attached */
export function msgFile(properties: Readonly<Record<string, string>>, attached = 0): Buffer {
  const streams = [
    { name: "__properties_version1.0", bytes: Buffer.alloc(32) },
    ...Object.entries(properties).map(([id, text]) => ({
      name: `__substg1.0_${id}001F`,
      bytes: Buffer.from(text, "utf16le"),
    })),
  ];
  const first = streams.length + 1;
  const root = {
    name: "Root Entry",
    type: 5,
    length: 0,
    children: [
      ...streams.map((_, at) => at + 1),
      ...Array.from({ length: attached }, (_, at) => first + at * 3),
    ],
  };
  const entries = streams.map((stream) => streamEntry(stream));
  const attachments = Array.from({ length: attached }, (_, at) => [
    {
      name: `__attach_version1.0_#${at.toString(16).toUpperCase().padStart(8, "0")}`,
      type: 1,
      length: 0,
      children: [first + at * 3 + 1, first + at * 3 + 2],
    },
    streamEntry({ name: "__properties_version1.0", bytes: Buffer.alloc(8) }),
    streamEntry({ name: "__substg1.0_37010102", bytes: Buffer.from("a") }),
  ]);
  return Buffer.from(burn([root, ...entries, ...attachments.flat()]));
}

function streamEntry({ name, bytes }: { readonly name: string; readonly bytes: Buffer }) {
  return {
    name,
    type: 2,
    length: bytes.length,
    // A copy: the writer takes the whole memory behind a buffer.
    binaryProvider: () => new Uint8Array(bytes),
  };
}
