import { useState, type FormEvent, type ReactNode } from "react";

import type { NewTokenBody } from "../../../src/server/team/people/contract.ts";
import { BASE } from "../../api/base.ts";
import { Button } from "../../ui/button.tsx";
import { Choice, DaysChoice, Labelled, TextField } from "./fields.tsx";
import { FolderField } from "./folder-field.tsx";
import { teamTexts as texts } from "../team-texts.ts";

interface NewTokenFormProps {
  readonly isWorking: boolean;
  readonly onMake: (body: NewTokenBody) => void;
  readonly onCancel: () => void;
}

const DAYS = [7, 30, 90, 366];
const USUAL_DAYS = 90;
/** `/v/NAME` */
const VAULT = decodeURIComponent(BASE.split("/").at(-1) ?? "");

/** What a new token is for, and how little it needs. */
export function NewTokenForm({ isWorking, onMake, onCancel }: NewTokenFormProps): ReactNode {
  const { tokens: said } = texts;
  const [name, setName] = useState("");
  const [scope, setScope] = useState<"read" | "write">("read");
  const [where, setWhere] = useState<"everywhere" | "here">("here");
  const [folder, setFolder] = useState("");
  const [days, setDays] = useState(USUAL_DAYS);
  const make = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = folder.trim();
    onMake({
      name: name.trim(),
      scopes: scope === "read" ? ["vault:read"] : ["vault:read", "vault:write"],
      vault: where === "here" ? VAULT : null,
      folder: where === "here" && wanted !== "" ? wanted : null,
      days,
    });
  };
  return (
    <form onSubmit={make} className="mt-3 rounded-lg border border-line bg-panel p-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <Labelled label={said.name} className="sm:col-span-2">
          {(id) => (
            <TextField
              id={id}
              required
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Labelled>
        <Labelled label={said.may}>
          {(id) => (
            <Choice
              id={id}
              value={scope}
              choices={[
                ["read", said.scopes.read],
                ["write", said.scopes.write],
              ]}
              onChange={setScope}
            />
          )}
        </Labelled>
        <Labelled label={said.days}>
          {(id) => <DaysChoice id={id} value={days} days={DAYS} onChange={setDays} />}
        </Labelled>
        <Labelled label={said.where}>
          {(id) => (
            <Choice
              id={id}
              value={where}
              choices={[
                ["here", said.thisVault],
                ["everywhere", said.everywhere],
              ]}
              onChange={setWhere}
            />
          )}
        </Labelled>
        {where === "here" ? (
          <Labelled label={said.folder}>
            {(id) => (
              <FolderField
                id={id}
                value={folder}
                placeholder={said.wholeVault}
                onChange={setFolder}
              />
            )}
          </Labelled>
        ) : null}
      </div>
      <div className="mt-4 flex gap-2">
        <Button look="solid" type="submit" disabled={isWorking || name.trim() === ""}>
          {said.create}
        </Button>
        <Button look="plain" onClick={onCancel}>
          {texts.people.cancel}
        </Button>
      </div>
    </form>
  );
}
