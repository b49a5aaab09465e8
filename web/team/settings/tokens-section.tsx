import { useState, type ReactNode } from "react";

import type {
  NewTokenAnswer,
  NewTokenBody,
  TokenJson,
  TokensAnswer,
} from "../../../src/server/team/people/contract.ts";
import { useResource } from "../../api/use-resource.ts";
import { Button } from "../../ui/button.tsx";
import { NotLoaded } from "../../ui/notice.tsx";
import { ClientLines } from "./client-lines.tsx";
import { NewTokenForm } from "./new-token-form.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { Alert, Rows, Section } from "./section.tsx";
import { askService, jsonInit } from "../team-api.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { TokenRow } from "./token-row.tsx";
import { useAction } from "./use-action.ts";

/** The tokens of the person at the page, for their programs. */
export function TokensSection(): ReactNode {
  const { value, problem, reload } = useResource<TokensAnswer>("tokens", async (signal) =>
    (await askService("/api/tokens", { signal })).json(),
  );
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewTokenAnswer | null>(null);
  const action = useAction();
  const make = async (body: NewTokenBody): Promise<void> => {
    setMade(await (await askService("/api/tokens", jsonInit(body))).json());
    setMaking(false);
    reload();
  };
  const revoke = async ({ id }: TokenJson): Promise<void> => {
    await askService(`/api/tokens/${encodeURIComponent(id)}`, { method: "DELETE" });
    reload();
  };
  return (
    <Section title={texts.tokens.title} hint={texts.tokens.hint}>
      {made === null ? null : (
        <SecretOnce title={texts.tokens.made} secret={made.secret} onDone={() => setMade(null)}>
          <ClientLines made={made} />
        </SecretOnce>
      )}
      {value === null ? (
        <NotLoaded problem={problem} onRetry={reload} />
      ) : value.tokens.length === 0 ? (
        <p className="text-sm text-muted">{texts.tokens.empty}</p>
      ) : (
        <Rows>
          {value.tokens.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onRevoke={() => void action.run(async () => revoke(token))}
            />
          ))}
        </Rows>
      )}
      {isMaking ? (
        <NewTokenForm
          isWorking={action.isWorking}
          onMake={(body) => void action.run(async () => make(body))}
          onCancel={() => setMaking(false)}
        />
      ) : (
        <Button className="mt-3" onClick={() => setMaking(true)}>
          {texts.tokens.make}
        </Button>
      )}
      <Alert problem={action.problem} />
    </Section>
  );
}
