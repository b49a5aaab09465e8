import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { boundaryOf, MultipartReader } from "./multipart.ts";

interface Part {
  readonly field: string;
  readonly fileName: string | null;
  readonly content: string;
}

/** What a reader makes of a form that comes in pieces of this size. */
function read(form: Buffer, boundary: string, size: number): Part[] {
  const parts: Part[] = [];
  let pieces: Buffer[] = [];
  let head: Omit<Part, "content"> = { field: "", fileName: null };
  const reader = new MultipartReader(boundary, {
    begin: (each) => (head = each),
    bytes: (piece) => void pieces.push(Buffer.from(piece)),
    end: () => {
      parts.push({ ...head, content: Buffer.concat(pieces).toString("latin1") });
      pieces = [];
    },
  });
  for (let at = 0; at < form.length; at += size) reader.write(form.subarray(at, at + size));
  reader.end();
  return parts;
}

function formOf(parts: readonly Part[], boundary: string): Buffer {
  const texts = parts.map(({ field, fileName, content }) => {
    const file =
      fileName === null ? "" : `; filename="${fileName}"\r\nContent-Type: application/pdf`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${field}"${file}\r\n\r\n${content}\r\n`;
  });
  return Buffer.from(`${texts.join("")}--${boundary}--\r\n`, "latin1");
}

describe("a form that comes in pieces", () => {
  it("is taken apart the same, however it is cut", () => {
    const content = fc.array(fc.constantFrom("\r", "\n", "-", "--b", "\r\n--", "x", "\r\n--bx"), {
      maxLength: 12,
    });
    const part = fc.record({
      field: fc.constantFrom("file", "to"),
      fileName: fc.constantFrom(null, "a.pdf", ""),
      content: content.map((pieces) => pieces.join("")),
    });
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (parts, size) => {
          const isAmbiguous = parts.some((each) =>
            `\r\n${each.content}\r\n`.includes("\r\n--boundary"),
          );
          if (!isAmbiguous)
            expect(read(formOf(parts, "boundary"), "boundary", size)).toEqual(parts);
        },
      ),
    );
    expect.hasAssertions();
  });

  it("keeps names with accents, as browsers and curl send them", () => {
    const head = 'Content-Disposition: form-data; name="file"; filename="été %22x%22.pdf"';
    const form = Buffer.from(`--b\r\n${head}\r\n\r\nx\r\n--b--`);
    expect(read(form, "b", 1000)).toEqual([
      { field: "file", fileName: "été _x_.pdf", content: "x" },
    ]);
    const starred = `--b\r\nContent-Disposition: form-data; name="f"; filename*=UTF-8''%C3%A9.md\r\n\r\nx\r\n--b--`;
    expect(read(Buffer.from(starred), "b", 7)[0]?.fileName).toBe("é.md");
  });

  it("is refused when it is cut off, or is no form", async () => {
    const form = formOf([{ field: "file", fileName: "a", content: "x" }], "b");
    const cut = await refusalOf(() => read(form.subarray(0, -8), "b", 10));
    expect(cut?.message).toContain("ends before its last boundary");
    expect((await refusalOf(() => boundaryOf("application/json")))?.message).toContain("curl -F");
    expect((await refusalOf(() => read(Buffer.from("no boundary at all"), "b", 5)))?.code).toBe(
      "invalid_argument",
    );
  });
});
