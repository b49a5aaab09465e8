import { BOM } from "../../text/utf8.ts";
import { readTime } from "../../text/local-time.ts";
import { otherFrontmatter, plainValue } from "../../vault/files/frontmatter.ts";

/** Where keys stand that are not in YAML. */
const HEAD = 8192;
/** Below the first table, keys are of something else. */
const TOML_TOP = /^\+\+\+[^\n]*\n([\s\S]*?)^(?:\[|\+\+\+)/mu;
const JSON_TOP = /^\{([^{}]*)/u;
/** Of a page of Logseq. */
const PROPERTIES = /^(?:[\p{L}\p{N}_/-]+::[^\n]*(?:\n|$))+/u;
const KEY = /^[ \t]*["']?(?:created|date)["']?[ \t]*(?:::|[:=])([^\n]*)/gmu;
const TIME =
  /^["']?(?:\[\[)?(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?)(?![\d/-])/u;

/**
 * The local times that `created` and `date` of a note say: in YAML, TOML or JSON front matter, or among the properties of a page of Logseq; as a
 * day, a time, or a link to a day. A day like `05/03/2021` is read by nobody the same.
 */
export function saidTimes(text: string): string[] {
  const values = [plainValue(text, "created"), plainValue(text, "date"), ...otherValues(text)];
  return values.flatMap((value) => {
    const time = readTime(TIME.exec(value?.trim() ?? "")?.[1] ?? "");
    return time === null ? [] : [time];
  });
}

function otherValues(text: string): string[] {
  const head = text.startsWith(BOM) ? text.slice(BOM.length, HEAD) : text.slice(0, HEAD);
  const other = otherFrontmatter(head);
  const top =
    other === null
      ? PROPERTIES.exec(head)?.[0]
      : (other.reason === "toml" ? TOML_TOP : JSON_TOP).exec(head)?.[1];
  return [...(top ?? "").matchAll(KEY)].map(([, value = ""]) => value);
}
