import { ExpectedError } from "../errors.ts";
import { ZipReader } from "./convert/zip-reader.ts";
import type { Gathered } from "./filing/gather.ts";
import type { Limits } from "./limits.ts";

/** What a file says, for somebody who looks for a text in it. */
export interface TextsIn {
  readonly texts: readonly string[];
  /** False when a part of it could not be read: a damaged file in an archive, a page that is only a picture, a recording. */
  readonly isAll: boolean;
}

/** All that was made of a file and of those inside it; of archives and office documents also the parts that no note shows, such as properties. */
export function textsIn(gathered: Gathered, limits: Limits): TextsIn {
  const { file, title, converted, inside, failures } = gathered;
  const found = inside.map((each) => textsIn(each, limits));
  const isWhole = failures.length === 0 && converted?.isPartial !== true;
  return {
    texts: [
      file.name,
      title,
      converted?.markdown ?? "",
      ...partsOf(gathered, limits),
      ...found.flatMap(({ texts }) => texts),
    ],
    isAll: isWhole && found.every(({ isAll }) => isAll),
  };
}

function partsOf({ file }: Gathered, limits: Limits): string[] {
  if (Buffer.from(file.bytes.subarray(0, 4)).readUInt32BE() !== ZIP) return [];
  try {
    const zip = new ZipReader(file.bytes, file.name, limits);
    return zip.files.flatMap((name) => [name, zip.text(name) ?? ""]);
  } catch (error) {
    // Its converter read it all the same, so what it says is there.
    if (error instanceof ExpectedError) return [];
    throw error;
  }
}

/** How a ZIP archive begins. */
const ZIP = 0x504b0304;
