import { useState, type FormEvent, type ReactNode } from "react";

import type {
  InviteBody,
  InvitedAnswer,
  TeamAnswer,
} from "../../../src/server/team/people/contract.ts";
import { postJson } from "../../api/request.ts";
import { language } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { formatDay } from "../../ui/format.ts";
import { Choice, ConfirmButton, DaysChoice, Labelled, TextField } from "./fields.tsx";
import { SecretOnce } from "./secret-once.tsx";
import { Alert, Rows, Section } from "./section.tsx";
import { removeFromVault } from "../team-api.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { useAction } from "./use-action.ts";

type Invitation = TeamAnswer["invitations"][number];

const DAYS = [1, 7, 30];
const USUAL_DAYS = 7;
const ROLES = ["viewer", "editor", "owner"] as const;

interface InvitationsSectionProps {
  readonly invitations: readonly Invitation[];
  readonly onChanged: () => void;
}

/** Links that let somebody new in: those that are open, and a new one. */
export function InvitationsSection({ invitations, onChanged }: InvitationsSectionProps): ReactNode {
  const { isWorking, problem, run } = useAction();
  const [link, setLink] = useState<string | null>(null);
  const said = texts.invitations;
  const invite = async (body: InviteBody): Promise<void> =>
    run(async () => {
      setLink((await postJson<InvitedAnswer>("/api/team/invitations", body)).link);
      onChanged();
    });
  const revoke = async (id: string): Promise<void> =>
    run(async () => {
      await removeFromVault(`/api/team/invitations/${encodeURIComponent(id)}`);
      onChanged();
    });
  return (
    <Section title={said.title} hint={said.hint}>
      {link === null ? null : (
        <SecretOnce title={said.made} secret={link} onDone={() => setLink(null)} />
      )}
      {invitations.length === 0 ? (
        <p className="text-sm text-muted">{said.empty}</p>
      ) : (
        <Rows>
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              onRevoke={() => void revoke(invitation.id)}
            />
          ))}
        </Rows>
      )}
      <InviteForm isWorking={isWorking} onInvite={(body) => void invite(body)} />
      <Alert problem={problem} />
    </Section>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly onRevoke: () => void;
}

function InvitationRow({ invitation, onRevoke }: InvitationRowProps): ReactNode {
  const { email, person, role, invitedBy, expires } = invitation;
  const said = texts.invitations;
  const whom = person?.name ?? email ?? said.anybody;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5">
      <div className="min-w-0 flex-1 basis-56 text-sm">
        <p className="[overflow-wrap:anywhere]">
          <span className="font-medium">{whom}</span>
          <span className="text-muted"> · {texts.roles[role]}</span>
        </p>
        <p className="text-xs text-muted">
          {invitedBy === null ? "" : `${said.by(invitedBy.name)} · `}
          {texts.tokens.ends(formatDay(new Date(expires), language))}
        </p>
      </div>
      <ConfirmButton
        text={said.revoke}
        confirm={said.revokeNow}
        about={whom}
        onConfirm={onRevoke}
      />
    </li>
  );
}

interface InviteFormProps {
  readonly isWorking: boolean;
  readonly onInvite: (body: InviteBody) => void;
}

function InviteForm({ isWorking, onInvite }: InviteFormProps): ReactNode {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<(typeof ROLES)[number]>("viewer");
  const [days, setDays] = useState(USUAL_DAYS);
  const said = texts.invitations;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    onInvite({ role, days, email: email.trim() === "" ? null : email.trim() });
    setEmail("");
  };
  return (
    <form onSubmit={send} className="mt-3 flex flex-wrap items-end gap-2">
      <Labelled label={said.email} className="flex-1 basis-56">
        {(id) => (
          <TextField
            id={id}
            type="email"
            value={email}
            autoComplete="off"
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Labelled>
      <Labelled label={said.role}>
        {(id) => (
          <Choice
            id={id}
            value={role}
            choices={ROLES.map((each) => [each, texts.roles[each]])}
            onChange={setRole}
          />
        )}
      </Labelled>
      <Labelled label={said.days}>
        {(id) => <DaysChoice id={id} value={days} days={DAYS} onChange={setDays} />}
      </Labelled>
      <Button look="solid" type="submit" className="min-h-9" disabled={isWorking}>
        {said.make}
      </Button>
    </form>
  );
}
