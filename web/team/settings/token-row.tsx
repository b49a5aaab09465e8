import { useState, type ReactNode } from "react";

import type { TokenJson } from "../../../src/server/team/people/contract.ts";
import { language } from "../../texts/texts.ts";
import { formatDay } from "../../ui/format.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { ConfirmButton } from "./fields.tsx";
import { teamTexts as texts } from "../team-texts.ts";

interface TokenRowProps {
  readonly token: TokenJson;
  /** Whose it is, where that is not the person at the page. */
  readonly of?: string;
  readonly onRevoke: () => void;
}

/** A token: what it is for, where it opens what, and how long. */
export function TokenRow({ token, of, onRevoke }: TokenRowProps): ReactNode {
  const { name, vault, folder, scopes, expires, lastUsed } = token;
  const { tokens: said } = texts;
  const mayWrite = scopes.includes("vault:write");
  const where = folder ?? vault ?? said.everywhere;
  const end = new Date(expires);
  const [now] = useState(() => Date.now());
  const isOver = end.getTime() < now;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="font-medium [overflow-wrap:anywhere]">
          {name}
          {of === undefined ? null : <span className="font-normal text-muted"> · {of}</span>}
        </p>
        <p className="text-xs text-muted">
          {mayWrite ? said.scopes.write : said.scopes.read} ·{" "}
          <span className="[overflow-wrap:anywhere]">{where}</span> ·{" "}
          <span className={isOver ? "text-danger" : ""}>
            {(isOver ? said.ended : said.ends)(formatDay(end, language))}
          </span>{" "}
          ·{" "}
          {lastUsed === null ? (
            said.unused
          ) : (
            <>
              {said.used} <TimeAgo at={lastUsed} />
            </>
          )}
        </p>
      </div>
      <ConfirmButton
        text={said.revoke}
        confirm={said.revokeNow}
        about={name}
        onConfirm={onRevoke}
      />
    </li>
  );
}
