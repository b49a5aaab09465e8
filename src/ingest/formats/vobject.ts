import { converted, ImageCollector, type Converted } from "../convert/converted.ts";
import { decodeText } from "../convert/file-kind.ts";
import { plainCell } from "../convert/markdown-table.ts";
import type { ConversionJob } from "./formats.ts";
import { repeatText } from "./repeat-rule.ts";

/*
 * Calendars (.ics) and contacts (.vcf): lines of `NAME;PARAMETER=x:value`, folded when they are long.
 */

interface Property {
  readonly name: string;
  readonly parameters: string;
  readonly value: string;
}

interface Block {
  readonly kind: string;
  readonly properties: readonly Property[];
}

const MAX_BLOCKS = 20_000;

/** A calendar: its events and tasks in the order of their time. */
export function convertCalendar({ bytes, kind }: ConversionJob): Converted {
  const { blocks, left } = blocksOf(decodeText(bytes, kind.encoding));
  const calendar = blocks.find((block) => block.kind === "VCALENDAR");
  const entries = blocks.filter((block) => /^V(?:EVENT|TODO|JOURNAL)$/u.test(block.kind));
  const start = (block: Block): string => valueOf(block, "DTSTART") || valueOf(block, "DUE");
  const sorted = entries.toSorted((a, b) => start(a).localeCompare(start(b)));
  const title = calendar === undefined ? "" : valueOf(calendar, "X-WR-CALNAME");
  return converted(title || null, sorted.map(entryMarkdown).join("\n\n"), {
    notices: leftOut(left),
  });
}

function leftOut(left: number): string[] {
  return left === 0
    ? []
    : [`Entries were left out: ${left}. A file of ${MAX_BLOCKS.toLocaleString("en")} is taken in.`];
}

function entryMarkdown(block: Block): string {
  const get = (name: string): string => valueOf(block, name);
  const people = (role: string): string =>
    block.properties
      .filter(({ name }) => name === role)
      .map(
        ({ parameters, value }) =>
          /CN="?([^";:]+)/iu.exec(parameters)?.[1] ?? value.replace(/^mailto:/iu, ""),
      )
      .join(", ");
  const times = (name: string): string => timesText(block, name);
  const box = block.kind === "VTODO" ? (get("STATUS") === "COMPLETED" ? "[x] " : "[ ] ") : "";
  const facts: readonly (readonly [string, string])[] = [
    ["When", spanText(block)],
    ["Due", times("DUE")],
    ["Repeats", repeatText(get("RRULE"), timeText)],
    ["Also", times("RDATE")],
    ["Except", times("EXDATE")],
    ["Instead of", times("RECURRENCE-ID")],
    ["Where", get("LOCATION")],
    ["Organiser", people("ORGANIZER")],
    ["Who", people("ATTENDEE")],
    ["Status", get("STATUS")],
    ["Link", get("URL")],
  ];
  return section(box + titleText(get("SUMMARY") || "Event"), facts, get("DESCRIPTION"));
}

/** Contacts: one section for each. */
export function convertContacts({ bytes, kind }: ConversionJob): Converted {
  const { blocks, left } = blocksOf(decodeText(bytes, kind.encoding));
  const cards = blocks.filter((block) => block.kind === "VCARD");
  const images = new ImageCollector();
  const parts = cards.map((card) => {
    const all = (name: string): string =>
      card.properties
        .filter((property) => property.name === name)
        .map(({ value }) => value.split(";").filter(Boolean).join(", ").trim())
        .filter(Boolean)
        .join("; ");
    const name =
      valueOf(card, "FN") || valueOf(card, "N").split(";").filter(Boolean).toReversed().join(" ");
    const facts: readonly (readonly [string, string])[] = [
      ["Organisation", all("ORG")],
      ["Title", all("TITLE")],
      ["Telephone", all("TEL").replaceAll("tel:", "")],
      ["Mail", all("EMAIL")],
      ["Address", all("ADR")],
      ["Birthday", all("BDAY")],
      ["Web", all("URL")],
    ];
    const heading = titleText(name || all("ORG") || "Contact");
    return [section(heading, facts, valueOf(card, "NOTE")), ...picturesOf(card, images)].join(
      "\n\n",
    );
  });
  const [only] = cards;
  const title = cards.length === 1 && only !== undefined ? valueOf(only, "FN") || null : null;
  return converted(title, parts.join("\n\n"), { images, notices: leftOut(left) });
}

/** Those that are in the card: in base64, as newer programs write them in an address. One on a server is not fetched. */
function picturesOf({ properties }: Block, images: ImageCollector): string[] {
  return properties.flatMap(({ name, value }) => {
    if (!/^(?:PHOTO|LOGO)$/u.test(name) || /^https?:/iu.test(value)) return [];
    const address = value.startsWith("data:")
      ? images.addData(value)
      : images.add(Buffer.from(value, "base64"));
    return address === null ? [] : [`![](${address})`];
  });
}

function titleText(text: string): string {
  return plainCell(oneLine(text));
}

function section(
  title: string,
  facts: readonly (readonly [string, string])[],
  text: string,
): string {
  const lines = facts
    .filter(([, value]) => value.trim() !== "")
    .map(([label, value]) => `- ${label}: ${plainCell(oneLine(value))}`);
  const body = text.split("\n").map(plainCell).join("\n").trim();
  return [`## ${title}`, lines.join("\n"), body].filter(Boolean).join("\n\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}

function valueOf({ properties }: Block, name: string): string {
  return properties.find((property) => property.name === name)?.value ?? "";
}

/** When an entry is, with its time zone once: `2024-03-02 10:00 – 2024-03-02 11:00 (Europe/Paris)`. */
function spanText(block: Block): string {
  const [from, until] = [timesText(block, "DTSTART"), timesText(block, "DTEND")];
  const zone = / \([^()]*\)$/u.exec(until)?.[0] ?? "";
  const start = zone !== "" && from.endsWith(zone) ? from.slice(0, -zone.length) : from;
  return until === "" ? from : `${start} – ${until}`;
}

/** The times of a property, which may come more than once, each with the time zone it is in. */
function timesText({ properties }: Block, wanted: string): string {
  return properties
    .filter(({ name }) => name === wanted)
    .map(({ parameters, value }) => {
      const zone = /;TZID="?([^";:]+)/iu.exec(parameters)?.[1];
      const times = value.split(",").map(timeText).join(", ");
      const isLocal = /:\d\d$/u.test(times);
      return zone === undefined || !isLocal ? times : `${times} (${zone.replaceAll(/[()]/gu, "")})`;
    })
    .join(", ");
}

/** `20240302T100000Z` as `2024-03-02 10:00 UTC`. */
function timeText(value: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(?:\d\d)?(Z?))?$/u.exec(value.trim());
  if (parts === null) return value;
  const [, year, month, day, hour, minute, zone] = parts;
  const clock = hour === undefined ? "" : ` ${hour}:${minute}${zone === "Z" ? " UTC" : ""}`;
  return `${year}-${month}-${day}${clock}`;
}

/** Every BEGIN…END with the properties directly in it, in the order they begin; and how many of those that people read are left. */
function blocksOf(text: string): { blocks: Block[]; left: number } {
  const lines = text.replaceAll(/\n[ \t]/gu, "").split("\n");
  const blocks: { kind: string; properties: Property[] }[] = [];
  const open: { kind: string; properties: Property[] }[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const property = propertyOf(lines, at);
    if (property === null) continue;
    if (property.name === "BEGIN") {
      const block = { kind: property.value.trim().toUpperCase(), properties: [] };
      if (blocks.length >= MAX_BLOCKS) {
        const rest = lines.slice(at).filter((line) => ENTRY.test(line));
        return { blocks, left: rest.length };
      }
      blocks.push(block);
      open.push(block);
    } else if (property.name === "END") open.pop();
    else open.at(-1)?.properties.push(property);
  }
  return { blocks, left: 0 };
}

const ENTRY = /^BEGIN:V(?:EVENT|TODO|JOURNAL|CARD)\s*$/iu;

function propertyOf(lines: readonly string[], at: number): Property | null {
  const parts = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:[^":;]|"[^"]*")*)*):(.*)$/u.exec(lines[at] ?? "");
  if (parts === null) return null;
  const [, name = "", parameters = "", raw = ""] = parts;
  const value = /QUOTED-PRINTABLE/iu.test(parameters) ? unquoted(lines, at, raw) : raw;
  const unescaped = value.replaceAll(/\\([nN,;\\])/gu, (_, sign: string) =>
    /n/iu.test(sign) ? "\n" : sign,
  );
  return { name: name.toUpperCase(), parameters, value: unescaped };
}

/** Contacts of old telephones; a line that ends in `=` goes on in the next. */
function unquoted(lines: readonly string[], start: number, raw: string): string {
  let text = raw;
  for (let at = start + 1; text.endsWith("=") && at < lines.length; at += 1)
    text = text.slice(0, -1) + (lines[at] ?? "");
  const bytes = text.replaceAll(/=([\dA-F]{2})/giu, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
