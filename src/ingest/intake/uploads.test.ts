import { readdirSync, readFileSync } from "node:fs";

import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { DEFAULT_LIMITS, type Limits } from "../limits.ts";
import { boundaryOf, readForm, withUploads } from "./uploads.ts";

interface Part {
  readonly field: string;
  readonly fileName: string | null;
  readonly content: string;
}

/** The parts of a form that arrives in pieces of this size. */
async function read(form: Buffer, boundary: string, size: number): Promise<Part[]> {
  const pieces = Array.from({ length: Math.ceil(form.length / size) }, (_, at) =>
    form.subarray(at * size, (at + 1) * size),
  );
  const parts: Part[] = [];
  for await (const each of readForm(pieces, boundary)) {
    if (!Buffer.isBuffer(each)) parts.push({ ...each, content: "" });
    else parts.push(withMore(parts.pop(), each));
  }
  return parts;
}

function withMore(part: Part | undefined, piece: Buffer): Part {
  if (part === undefined) throw new Error("bytes before the head of a part");
  return { ...part, content: part.content + piece.toString("latin1") };
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
  it("is taken apart the same, however it is cut", async () => {
    const content = fc.array(fc.constantFrom("\r", "\n", "-", "--b", "\r\n--", "x", "\r\n--bx"), {
      maxLength: 12,
    });
    const part = fc.record({
      field: fc.constantFrom("file", "to"),
      fileName: fc.constantFrom(null, "a.pdf", ""),
      content: content.map((pieces) => pieces.join("")),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (parts, size) => {
          const isAmbiguous = parts.some((each) =>
            `\r\n${each.content}\r\n`.includes("\r\n--boundary"),
          );
          if (!isAmbiguous)
            expect(await read(formOf(parts, "boundary"), "boundary", size)).toEqual(parts);
        },
      ),
    );
    expect.hasAssertions();
  });

  it("keeps names with accents, as browsers and curl send them", async () => {
    const head = 'Content-Disposition: form-data; name="file"; filename="été %22x%22.pdf"';
    const form = Buffer.from(`--b\r\n${head}\r\n\r\nx\r\n--b--`);
    expect(await read(form, "b", 1000)).toEqual([
      { field: "file", fileName: "été _x_.pdf", content: "x" },
    ]);
    const starred = `--b\r\nContent-Disposition: form-data; name="f"; filename*=UTF-8''%C3%A9.md\r\n\r\nx\r\n--b--`;
    expect((await read(Buffer.from(starred), "b", 7))[0]?.fileName).toBe("é.md");
  });

  it("is refused when it is cut off, or is no form", async () => {
    const form = formOf([{ field: "file", fileName: "a", content: "x" }], "b");
    const cut = await refusalOf(async () => read(form.subarray(0, -8), "b", 10));
    expect(cut?.message).toContain("ends before its last boundary");
    expect((await refusalOf(() => boundaryOf("application/json")))?.message).toContain("curl -F");
    expect(
      (await refusalOf(async () => read(Buffer.from("no boundary at all"), "b", 5)))?.code,
    ).toBe("invalid_argument");
  });

  it.each([
    ["--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--", "a part has no name"],
    ["--b and more", "followed by something else"],
    [`--b\r\n${"x".repeat(20_000)}`, "the head of a part does not end"],
  ])("is refused when it is malformed: %#", async (text, why) => {
    const refusal = await refusalOf(async () => read(Buffer.from(text), "b", 1000));
    expect(refusal).toMatchObject({ code: "invalid_argument" });
    expect(refusal?.message).toContain(why);
  });
});

describe("what a form held", () => {
  const request = (
    body: FormData | ReadableStream,
    headers: Record<string, string> = {},
  ): Request => new Request("http://localhost", { method: "POST", body, headers, duplex: "half" });
  const receive = async (
    sent: Request,
    limits: Partial<Limits> = {},
    scratch = temporaryFolder(),
  ): Promise<{ files: string[]; fields: Record<string, string> }> => {
    try {
      return await withUploads(
        sent,
        { scratch, limits: { ...DEFAULT_LIMITS, ...limits } },
        async ({ files, fields }) => ({
          files: files.map(({ name, path }) => `${name}: ${readFileSync(path, "utf8")}`),
          fields: Object.fromEntries(fields),
        }),
      );
    } finally {
      expect(readdirSync(scratch)).toEqual([]);
    }
  };
  const form = (files: Readonly<Record<string, string>>, note = ""): FormData => {
    const made = new FormData();
    made.set("content", note);
    for (const [name, text] of Object.entries(files)) made.append("file", new File([text], name));
    return made;
  };

  it("is there while it is worked on, and gone afterwards; line ends of fields are as typed", async () => {
    const sent = request(form({ "a/é.txt": "un\r\n", b: "deux" }, "first\nsecond\n"));
    expect(await receive(sent)).toEqual({
      files: ["é.txt: un\r\n", "b: deux"],
      fields: { content: "first\nsecond\n" },
    });
  });

  it("is bounded in the number and size of files and in the size of fields", async () => {
    const two = { "a.txt": "un", "b.txt": "deux" };
    const refused = async (sent: FormData, limits: Partial<Limits>): Promise<string> =>
      (await refusalOf(async () => receive(request(sent), limits)))?.message ?? "";
    expect(await refused(form(two), { files: 1 })).toContain("may hold 1 files");
    expect(await refused(form(two), { bytes: 3 })).toContain("b.txt is larger than 3 B");
    expect(await refused(form(two), { unpackedBytes: 5 })).toContain("too large together");
    expect(await refused(form({}, "x".repeat(9_000_000)), {})).toContain("content is larger than");
  });

  it("is refused when the connection breaks, with nothing left of it", async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf';
    const body = new ReadableStream({
      pull: (controller) => {
        controller.enqueue(Buffer.from(head));
        controller.error(new Error("reset"));
      },
    });
    const broken = request(body, { "content-type": "multipart/form-data; boundary=b" });
    const refusal = await refusalOf(async () => receive(broken));
    expect(refusal?.message).toBe("The form ended before all of it was sent.");
  });
});
