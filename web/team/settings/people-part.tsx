import type { ReactNode } from "react";

import type { TeamAnswer } from "../../../src/server/team/people/contract.ts";
import { getJson } from "../../api/request.ts";
import { useResource } from "../../api/use-resource.ts";
import { NotLoaded } from "../../ui/notice.tsx";
import { InvitationsSection } from "./invitations-section.tsx";
import { PersonRow } from "./person-row.tsx";
import { Alert, Rows, Section } from "./section.tsx";
import { removeFromVault } from "../team-api.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { TokenRow } from "./token-row.tsx";
import { useAction } from "./use-action.ts";

/** Who has the vault: for its owners. @param self the id of the person at the page */
export function PeoplePart({ self }: { readonly self: string | null }): ReactNode {
  const { value, problem, reload } = useResource<TeamAnswer>("team", async (signal) =>
    getJson("/api/team", signal),
  );
  if (value === null) return <NotLoaded problem={problem} onRetry={reload} />;
  return (
    <>
      <Section title={texts.people.title}>
        {value.people.length === 0 ? (
          <p className="text-sm text-muted">{texts.people.empty}</p>
        ) : (
          <Rows>
            {value.people.map((each) => (
              <PersonRow
                key={each.person.id}
                someone={each}
                isSelf={each.person.id === self}
                onChanged={reload}
              />
            ))}
          </Rows>
        )}
      </Section>
      <InvitationsSection invitations={value.invitations} onChanged={reload} />
      <VaultTokens tokens={value.tokens} onChanged={reload} />
    </>
  );
}

/** The tokens of all people that open only this vault. */
function VaultTokens({
  tokens,
  onChanged,
}: {
  readonly tokens: TeamAnswer["tokens"];
  readonly onChanged: () => void;
}): ReactNode {
  const action = useAction();
  if (tokens.length === 0) return null;
  const revoke = async (id: string): Promise<void> => {
    await removeFromVault(`/api/team/tokens/${encodeURIComponent(id)}`);
    onChanged();
  };
  return (
    <Section title={texts.tokens.ofOthers} hint={texts.tokens.ofOthersHint}>
      <Rows>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            of={token.person.name}
            onRevoke={() => void action.run(async () => revoke(token.id))}
          />
        ))}
      </Rows>
      <Alert problem={action.problem} />
    </Section>
  );
}
