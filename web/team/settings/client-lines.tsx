import type { ReactNode } from "react";

import type { NewTokenAnswer } from "../../../src/server/team/people/contract.ts";
import { BASE } from "../../api/base.ts";
import { CopyField } from "./copy-field.tsx";
import { teamTexts as texts } from "../team-texts.ts";

/** What an AI client needs besides a new token: the address of the vault, and both in the line that one of them takes. */
export function ClientLines({ made }: { readonly made: NewTokenAnswer }): ReactNode {
  const { secret, token } = made;
  const vault = token.vault === null ? BASE : `/v/${token.vault}`;
  // A client that may only read is not shown tools that it would be refused.
  const profile = token.scopes.includes("vault:write") ? "update" : "search";
  const address = `${window.location.origin}${vault}/mcp/${profile}`;
  const name = decodeURIComponent(vault.split("/").at(-1) ?? "");
  const line = `claude mcp add --transport http ${name} ${address} --header "Authorization: Bearer ${secret}"`;
  const said = texts.tokens;
  return (
    <div className="mt-3 flex flex-col gap-2 text-xs text-muted">
      <p>{said.forClients}</p>
      <div className="flex flex-wrap items-center gap-2">
        <CopyField label={said.address} text={address} />
      </div>
      <p>{said.forClaude}</p>
      <div className="flex flex-wrap items-center gap-2">
        <CopyField label={said.line} text={line} />
      </div>
    </div>
  );
}
