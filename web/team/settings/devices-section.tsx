import { useState, type ReactNode } from "react";

import type { DeviceAnswer } from "../../../src/server/team/people/contract.ts";
import { Button } from "../../ui/button.tsx";
import { askService, jsonInit, logOut } from "../team-api.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { ConfirmButton } from "./fields.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { Alert, Section } from "./section.tsx";
import { useAction } from "./use-action.ts";

/** Where the person at the page is logged in: one more browser, or none any more. */
export function DevicesSection(): ReactNode {
  const { isWorking, problem, run } = useAction();
  const [link, setLink] = useState<string | null>(null);
  const said = texts.devices;
  const make = async (): Promise<void> => {
    const answer: DeviceAnswer = await (await askService("/api/devices", jsonInit({}))).json();
    setLink(answer.link);
  };
  return (
    <Section title={said.title} hint={said.hint}>
      {link === null ? null : (
        <SecretOnce title={said.made} secret={link} onDone={() => setLink(null)} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button disabled={isWorking} onClick={() => void run(make)}>
          {said.make}
        </Button>
        <ConfirmButton
          text={said.everywhere}
          confirm={said.everywhereNow}
          about={texts.settings.you}
          onConfirm={() => void run(async () => logOut(true))}
        />
      </div>
      <Alert problem={problem} />
    </Section>
  );
}
