import { useState, type FormEvent, type ReactNode } from "react";

import type {
  GrantBody,
  GrantedAnswer,
  TeamAnswer,
} from "../../../src/server/team/people/contract.ts";
import { postJson } from "../../api/request.ts";
import { ROOT } from "../../tree/paths.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { Avatar } from "../avatar.tsx";
import { Choice, ConfirmButton, Labelled } from "./fields.tsx";
import { FolderField } from "./folder-field.tsx";
import { Alert } from "./section.tsx";
import { removeFromVault } from "../team-api.ts";
import { teamTexts as texts } from "../team-texts.ts";
import { useAction } from "./use-action.ts";

type Someone = TeamAnswer["people"][number];
type Role = Someone["grants"][number]["role"];

const VAULT_ROLES: readonly Role[] = ["owner", "editor", "viewer", "none"];
const FOLDER_ROLES: readonly Role[] = ["editor", "viewer", "none"];

interface PersonRowProps {
  readonly someone: Someone;
  readonly isSelf: boolean;
  readonly onChanged: () => void;
}

/** Somebody of the vault, with what they may do there. */
export function PersonRow({ someone, isSelf, onChanged }: PersonRowProps): ReactNode {
  const { person, grants, isDisabled, lastSeen } = someone;
  const [isAdding, setAdding] = useState(false);
  const [missing, setMissing] = useState<string | null>(null);
  const { isWorking, problem, run } = useAction();
  const said = texts.people;
  const ofVault = grants.find(({ folder }) => folder === ROOT)?.role ?? "none";
  const ofFolders = grants.filter(({ folder }) => folder !== ROOT);
  const grant = async (folder: string, role: Role | null): Promise<void> =>
    run(async () => {
      const body: GrantBody = { person: person.id, folder, role };
      const { isMissing } = await postJson<GrantedAnswer>("/api/team/grants", body);
      setMissing(isMissing === true ? folder : null);
      setAdding(false);
      onChanged();
    });
  const remove = async (): Promise<void> =>
    run(async () => {
      await removeFromVault(`/api/team/people/${encodeURIComponent(person.id)}`);
      onChanged();
    });
  return (
    <li className="px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Avatar name={person.name} />
        <div className="min-w-0 flex-1 basis-40 text-sm">
          <p className="font-medium [overflow-wrap:anywhere]">
            {person.name}
            {isSelf ? <span className="font-normal text-muted"> · {said.self}</span> : null}
          </p>
          <p className="text-xs text-muted [overflow-wrap:anywhere]">
            {person.email === null ? "" : `${person.email} · `}
            {isDisabled ? (
              said.disabled
            ) : lastSeen === null ? (
              said.neverSeen
            ) : (
              <>
                {said.seen} <TimeAgo at={lastSeen} />
              </>
            )}
          </p>
        </div>
        <Choice
          label={said.roleOf(person.name)}
          value={ofVault}
          isDisabled={isWorking}
          choices={VAULT_ROLES.map((role) => [role, texts.roles[role]])}
          onChange={(role) => void grant("", role)}
        />
      </div>
      <div className="mt-2 sm:pl-10">
        {ofFolders.length === 0 ? null : (
          <ul aria-label={said.folders} className="mb-1 space-y-1.5">
            {ofFolders.map(({ folder, role }) => (
              <li key={folder} className="flex items-center gap-2 text-sm">
                <Icon name="folder" className="size-4 text-muted" />
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{folder}</span>
                <Choice
                  label={said.roleIn(person.name, folder)}
                  value={role}
                  isDisabled={isWorking}
                  choices={FOLDER_ROLES.map((each) => [each, texts.roles[each]])}
                  onChange={(next) => void grant(folder, next)}
                />
                <button
                  type="button"
                  aria-label={said.drop(folder)}
                  title={said.drop(folder)}
                  disabled={isWorking}
                  className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-code hover:text-ink"
                  onClick={() => void grant(folder, null)}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {isAdding ? (
          <FolderRoleForm
            isWorking={isWorking}
            onGrant={(folder, role) => void grant(folder, role)}
            onCancel={() => setAdding(false)}
          />
        ) : (
          <div className="-ml-2.5 flex flex-wrap gap-1">
            <Button look="plain" onClick={() => setAdding(true)}>
              {said.addFolder}
            </Button>
            <ConfirmButton
              text={said.remove}
              confirm={said.removeNow}
              about={person.name}
              onConfirm={() => void remove()}
            />
          </div>
        )}
        {missing === null ? null : (
          <p role="alert" className="mt-2 text-sm text-danger [overflow-wrap:anywhere]">
            {said.missing(missing)}
          </p>
        )}
        <Alert problem={problem} />
      </div>
    </li>
  );
}

interface FolderRoleFormProps {
  readonly isWorking: boolean;
  readonly onGrant: (folder: string, role: Role) => void;
  readonly onCancel: () => void;
}

function FolderRoleForm({ isWorking, onGrant, onCancel }: FolderRoleFormProps): ReactNode {
  const [folder, setFolder] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (folder.trim() !== "") onGrant(folder.trim(), role);
  };
  return (
    <form onSubmit={send} className="flex flex-wrap items-end gap-2">
      <Labelled label={texts.people.folder} className="flex-1 basis-44">
        {(id) => <FolderField id={id} value={folder} isRequired onChange={setFolder} />}
      </Labelled>
      <Labelled label={texts.people.role}>
        {(id) => (
          <Choice
            id={id}
            value={role}
            choices={FOLDER_ROLES.map((each) => [each, texts.roles[each]])}
            onChange={setRole}
          />
        )}
      </Labelled>
      <Button look="solid" type="submit" className="min-h-9" disabled={isWorking}>
        {texts.people.add}
      </Button>
      <Button look="plain" onClick={onCancel}>
        {texts.people.cancel}
      </Button>
    </form>
  );
}
