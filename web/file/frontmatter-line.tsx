import type { ReactNode } from "react";

import { isJobKey } from "../../src/text/job-keys.ts";
import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { searchAddress } from "../app/addresses.ts";
import { Link } from "../app/link.tsx";
import type { Property } from "../markdown/frontmatter.ts";
import { TargetLink } from "../markdown/target-link.tsx";
import { targetOf, wikiTarget } from "../markdown/targets.ts";
import { splitWikiLinks } from "../markdown/wiki-links.ts";
import { locale, texts } from "../texts/texts.ts";
import { formatDay, formatTokens } from "../ui/format.ts";
import { TimeAgo } from "../ui/time-ago.tsx";

interface FrontmatterLineProps {
  readonly properties: readonly Property[];
  readonly tokens: number;
  readonly file: string;
}

/** A note's frontmatter, and its size, in one quiet line. */
export function FrontmatterLine({ properties, tokens, file }: FrontmatterLineProps): ReactNode {
  const facts = new Map(properties.map(({ key, values }) => [key, values[0]]));
  const [created, updated] = [facts.get("created"), facts.get("updated")];
  const own = properties.filter(({ key, values }) => !isJobKey(key) && values.length > 0);
  return (
    <div className="mb-6 flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line pb-3 text-xs text-muted">
      {isDate(updated) ? (
        <span>
          {texts.file.updated} <TimeAgo at={updated} />
        </span>
      ) : null}
      {isDate(created) ? (
        <span>
          {texts.file.created} {formatDay(new Date(created), locale)}
        </span>
      ) : null}
      <span>{texts.file.tokens(formatTokens(tokens, locale))}</span>
      {own.map(({ key, values, isList }) => (
        <span key={key} className="[overflow-wrap:anywhere]">
          {key}:{" "}
          {values.map((value, index) => (
            <span key={index} className={`text-ink ${isList ? "property-value" : ""}`}>
              <Value propertyKey={key} value={value} file={file} />
            </span>
          ))}
        </span>
      ))}
    </div>
  );
}

interface ValueProps {
  readonly propertyKey: string;
  readonly value: string;
  readonly file: string;
}

/** A tag leads to its notes, a link to where it points; anything else is text. */
function Value({ propertyKey, value, file }: ValueProps): ReactNode {
  const { files } = useServices();
  const known = useStore(files.paths);
  if (/^tags?$/iu.test(propertyKey)) {
    const tag = value.replace(/^#/u, "");
    return (
      <Link to={searchAddress(`tag:${tag}`)} className="text-accent hover:underline">
        {tag}
      </Link>
    );
  }
  const [piece, other] = splitWikiLinks(value);
  if (piece?.kind === "wiki" && other === undefined) {
    return <TargetLink to={wikiTarget(piece.inside, file, known)}>{piece.label}</TargetLink>;
  }
  if (/^https?:\/\/\S+$/u.test(value)) {
    return <TargetLink to={targetOf(value, file)}>{value}</TargetLink>;
  }
  return value;
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}
