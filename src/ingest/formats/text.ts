import { extensionOf } from "../../vault/paths.ts";
import { textOnly, type Converted } from "../convert/converted.ts";
import { fenced } from "../convert/markdown-table.ts";

/** Texts that people write to be read. Others (code, data, configuration) mean something by every character. */
const PROSE = new Set(["", ".txt", ".text", ".md", ".markdown", ".me", ".asc"]);

/** A text as it is; one in some other language than prose, in a block that keeps it so. */
export function convertText(name: string, text: string): Converted {
  const extension = extensionOf(name);
  return textOnly(null, PROSE.has(extension) ? text.trim() : fenced(text, extension.slice(1)));
}
