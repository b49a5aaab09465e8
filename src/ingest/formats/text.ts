import { extensionOf } from "../../vault/paths.ts";
import { converted, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { fenced } from "../convert/markdown-table.ts";
import type { ConversionJob } from "./formats.ts";

/** Texts that people write to be read. In others (code, data, configuration) every character matters. */
const PROSE = new Set(["", ".txt", ".text", ".md", ".markdown", ".me", ".asc"]);

/** Prose as it is; any other text in a block that shows it unchanged. */
export function convertText({ name, bytes, kind }: ConversionJob): Converted {
  const text = decodeText(bytes, kind.encoding);
  const extension = extensionOf(name);
  return converted(null, PROSE.has(extension) ? text.trim() : fenced(text, extension.slice(1)));
}
