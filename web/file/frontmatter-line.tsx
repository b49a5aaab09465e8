import type { ReactNode } from "react";

import type { SplitNote } from "../markdown/frontmatter.ts";
import { language, texts } from "../texts/texts.ts";
import { formatDay, formatTokens } from "../ui/format.ts";
import { TimeAgo } from "../ui/time-ago.tsx";

interface FrontmatterLineProps {
  readonly fields: SplitNote["fields"];
  readonly tokens: number;
}

/** A note's frontmatter, and its size, in one quiet line. */
export function FrontmatterLine({ fields, tokens }: FrontmatterLineProps): ReactNode {
  const facts = new Map(fields);
  const [created, updated] = [facts.get("created"), facts.get("updated")];
  const own = fields.filter(([key]) => !["created", "updated", "tokens"].includes(key));
  return (
    <p className="mb-6 flex flex-wrap gap-x-4 gap-y-1 border-b border-line pb-3 text-xs text-muted">
      {isDate(updated) ? (
        <span>
          {texts.file.updated} <TimeAgo at={updated} />
        </span>
      ) : null}
      {isDate(created) ? (
        <span>
          {texts.file.created} {formatDay(new Date(created), language)}
        </span>
      ) : null}
      <span>{texts.file.tokens(formatTokens(tokens))}</span>
      {own.map(([key, value]) => (
        <span key={key}>
          {key}: <span className="text-ink">{value}</span>
        </span>
      ))}
    </p>
  );
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && !Number.isNaN(Date.parse(text));
}
