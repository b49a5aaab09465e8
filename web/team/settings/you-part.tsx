import type { ReactNode } from "react";

import type { MeAnswer, VaultMeAnswer } from "../../../src/server/team/people/contract.ts";
import { BASE } from "../../api/base.ts";
import { useResource } from "../../api/use-resource.ts";
import { DevicesSection } from "./devices-section.tsx";
import { Rows, Section } from "./section.tsx";
import { askService } from "../team-api.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { TokensSection } from "./tokens-section.tsx";

/** The person at the page: their rights, their vaults, their tokens, their logins. */
export function YouPart({ who }: { readonly who: VaultMeAnswer }): ReactNode {
  const { person, role, folders, operator } = who;
  return (
    <>
      <Section title={texts.you.title} {...(operator ? { hint: texts.you.everywhere } : {})}>
        {person === null ? null : (
          <p className="font-medium">
            {person.name}
            {person.email === null ? null : (
              <span className="ml-2 font-normal text-muted">{person.email}</span>
            )}
          </p>
        )}
        {operator ? null : (
          <p className="text-sm text-muted">
            {role === "none"
              ? texts.you.none
              : `${texts.you.role(texts.roles[role])} ${sentence(texts.roleHints[role])}`}
          </p>
        )}
        {folders.length === 0 ? null : (
          <>
            <p className="mb-1 mt-3 text-xs text-muted">{texts.you.folders}</p>
            <Rows>
              {folders.map((each) => (
                <li key={each.folder} className="flex gap-3 px-3.5 py-2 text-sm">
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{each.folder}</span>
                  <span className="text-muted">{texts.roles[each.role]}</span>
                </li>
              ))}
            </Rows>
          </>
        )}
      </Section>
      <VaultsSection />
      {person === null ? null : (
        <>
          <TokensSection />
          <DevicesSection />
        </>
      )}
    </>
  );
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toLocaleUpperCase()}${text.slice(1)}.`;
}

/** The vaults that somebody may see. */
function VaultsSection(): ReactNode {
  const { value } = useResource<MeAnswer>("me", async (signal) =>
    (await askService("/api/me", { signal })).json(),
  );
  if (value === null || value.vaults.length === 0) return null;
  return (
    <Section title={texts.you.vaults}>
      <Rows>
        {value.vaults.map(({ name, address, role }) => {
          const isHere = address === `${BASE}/`;
          return (
            <li key={name} className="flex items-baseline gap-3 px-3.5 py-2 text-sm">
              <a
                href={address}
                aria-current={isHere ? "true" : undefined}
                className="min-w-0 font-medium [overflow-wrap:anywhere] hover:text-accent hover:underline"
              >
                {name}
              </a>
              {isHere ? <span className="text-xs text-muted">{texts.you.here}</span> : null}
              <span className="ml-auto text-muted">{texts.roles[role]}</span>
            </li>
          );
        })}
      </Rows>
    </Section>
  );
}
