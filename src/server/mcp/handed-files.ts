import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { NamedBlob } from "../client/remember-request.ts";

/**
 * A file that a client hands over. Besides the fields that are listed, the forms of the protocol are taken: an embedded resource (`resource`
 * with `blob` or `text`), and a link whose address holds the bytes (`uri: "data:…"`).
 */
export const HandedFile = z.looseObject({
  name: z.string().nullish().describe('With its extension: "offer.pdf".'),
  data: z.string().nullish().describe("Base64; or text:"),
  text: z.string().nullish(),
});

const Form = z.looseObject({
  name: z.string().nullish(),
  uri: z.string().nullish(),
  data: z.string().nullish(),
  blob: z.string().nullish(),
  text: z.string().nullish(),
  resource: z.unknown().optional(),
});

/** Over stdio more than 10 MiB end a connection, and base64 adds a third. */
const MAX_BYTES = 7_000_000;

/** The files with their bytes. Throws for one without content, for an address elsewhere, and when they are too large together. */
export function handedFiles(given: readonly z.infer<typeof HandedFile>[]): NamedBlob[] {
  const files = given.map((each, at) => fileOf(each, at));
  const size = files.reduce((sum, { blob }) => sum + blob.size, 0);
  if (size <= MAX_BYTES) return files;
  throw new ExpectedError(
    "too_large",
    `The files have ${size} bytes; ${MAX_BYTES} at most are taken in one call. Larger ones: coffre remember --file, or the page.`,
  );
}

function fileOf(given: unknown, at: number): NamedBlob {
  const outer = Form.parse(given);
  const inner = Form.safeParse(outer.resource).data ?? outer;
  const called = firstFilled(outer.name, inner.name, inner.uri) ?? "";
  const name = nameOf(called) || `file-${at + 1}`;
  // Strict clients fill every field that they have no value for with an empty text.
  const base64 = firstFilled(outer.data, inner.data, inner.blob);
  if (base64 !== null) return { name, blob: new Blob([decoded(base64, name)]) };
  const text = inner.text ?? null;
  if (text !== null && text !== "") return { name: withExtension(name), blob: new Blob([text]) };
  if (inner.uri?.startsWith("data:") === true) return { name, blob: dataOf(inner.uri, name) };
  const isEmbedded = inner !== outer || !isFilled(inner.uri);
  if (text !== null && isEmbedded) return { name: withExtension(name), blob: new Blob([]) };
  throw new ExpectedError(
    "invalid_argument",
    !isFilled(inner.uri)
      ? `${name} has no content: give data (base64) or text.`
      : `${name}: nothing is fetched from ${JSON.stringify(inner.uri)}. Give its content as data (base64) or text.`,
  );
}

function isFilled(text: string | null | undefined): text is string {
  return typeof text === "string" && text !== "";
}

function firstFilled(...texts: readonly (string | null | undefined)[]): string | null {
  return texts.find((text) => isFilled(text)) ?? null;
}

/** The last part of a path or address, without what could lead elsewhere. */
function nameOf(given: string): string {
  if (given.startsWith("data:")) return "";
  const [address = ""] = given.split(/[?#]/u, 1);
  return address.split(/[/\\]/u).at(-1)?.slice(-200) ?? "";
}

function withExtension(name: string): string {
  return /\.[a-z0-9]{1,8}$/iu.test(name) ? name : `${name}.md`;
}

function decoded(base64: string, name: string): Buffer<ArrayBuffer> {
  const plain = base64.replace(/^data:[^,]*,/u, "").replaceAll(/\s/gu, "");
  if (/^[A-Za-z0-9+/_-]+=*$/u.test(plain)) return Buffer.from(plain, "base64");
  throw new ExpectedError("invalid_argument", `${name}: data is not base64.`);
}

function dataOf(uri: string, name: string): Blob {
  const [, kind = "", body = ""] = /^data:([^,]*),(.*)$/su.exec(uri) ?? [];
  if (kind.endsWith(";base64")) return new Blob([decoded(body, name)]);
  try {
    return new Blob([decodeURIComponent(body)]);
  } catch {
    throw new ExpectedError("invalid_argument", `${name}: its data: address cannot be read.`);
  }
}
