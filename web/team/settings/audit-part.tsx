import { Fragment, useState, type ReactNode } from "react";

import type { AuditAnswer, TeamAnswer } from "../../../src/server/team/people/contract.ts";
import { BASE } from "../../api/base.ts";
import { address, getJson } from "../../api/request.ts";
import { useResource } from "../../api/use-resource.ts";
import { Button } from "../../ui/button.tsx";
import { NotLoaded } from "../../ui/notice.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { auditRuns, programOf, type AuditRun } from "./audit-runs.ts";
import { auditWords } from "./audit-words.ts";
import { Choice, Labelled } from "./fields.tsx";
import { Section } from "./section.tsx";
import { teamTexts as texts } from "../team-texts.ts";
import { useOlderRows } from "./use-older-rows.ts";

const AUDIT = "/api/team/audit";
const EVERYBODY = "";
/** Named one by one; of more, only their number. */
const MOST_NAMED = 3;

/** What was done in the vault: for its owners. */
export function AuditPart(): ReactNode {
  const [person, setPerson] = useState(EVERYBODY);
  const { value: team } = useResource<TeamAnswer>("team", async (signal) =>
    getJson("/api/team", signal),
  );
  const [isChanges, setChanges] = useState(false);
  const query = {
    ...(person === EVERYBODY ? {} : { person }),
    ...(isChanges ? { changes: "true" } : {}),
  };
  const { value, problem, reload } = useResource<AuditAnswer>(
    `audit ${String(isChanges)} ${person}`,
    async (signal) => getJson(address(AUDIT, query), signal),
  );
  const { rows, hasMore, more } = useOlderRows(value, async (before) =>
    getJson(address(AUDIT, { ...query, before })),
  );
  const people = (team?.people ?? []).map((each) => each.person);
  const said = texts.log;
  return (
    <Section title={said.title} hint={said.hint}>
      <div className="mb-4 flex flex-wrap items-end gap-x-4 gap-y-2">
        <Labelled label={said.person}>
          {(id) => (
            <Choice
              id={id}
              value={person}
              choices={[
                [EVERYBODY, said.everybody],
                ...people.map((each) => [each.id, each.name] as const),
              ]}
              onChange={setPerson}
            />
          )}
        </Labelled>
        <label className="flex min-h-9 items-center gap-2 text-sm text-muted">
          <input
            type="checkbox"
            checked={isChanges}
            onChange={(event) => setChanges(event.target.checked)}
          />
          {said.changes}
        </label>
        <p className="ml-auto flex min-h-9 items-center gap-3 text-sm text-muted">
          {said.export}
          {(["csv", "ndjson"] as const).map((format) => (
            <a
              key={format}
              href={BASE + address(AUDIT, { ...query, format })}
              download={`audit.${format}`}
              className="text-accent underline"
            >
              {format.toUpperCase()}
            </a>
          ))}
        </p>
      </div>
      {value === null ? (
        <NotLoaded problem={problem} onRetry={reload} />
      ) : rows.length === 0 ? (
        <p className="text-sm text-muted">{said.empty}</p>
      ) : (
        <ol className="divide-y divide-line border-y border-line">
          {auditRuns(rows).map((run) => (
            <AuditLine key={run.row.id} run={run} />
          ))}
        </ol>
      )}
      {hasMore ? (
        <Button className="mt-4" onClick={() => void more()}>
          {said.older}
        </Button>
      ) : null}
    </Section>
  );
}

/** What people do with rights and logins is said in words; a tool or an address has its name. */
function Call({ call }: { readonly call: string }): ReactNode {
  const roles: Readonly<Record<string, string>> = texts.roles;
  const words = auditWords(call, texts.log.calls, (role) => roles[role] ?? role);
  return words ?? <span className="font-mono text-[0.8125rem]">{call}</span>;
}

function AuditLine({ run }: { readonly run: AuditRun }): ReactNode {
  const { at, person, client, credential, paths, address: from, outcome } = run.row;
  const { calls, count } = run;
  const said = texts.log;
  const isDone = outcome === "done";
  const how = [client === null ? null : programOf(client), credential]
    .filter((each) => each !== null)
    .join(", ");
  return (
    <li className="py-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{person?.name ?? said.operator}</span>
        <span className="[overflow-wrap:anywhere]">
          {calls.slice(0, MOST_NAMED).map((call, number) => (
            <Fragment key={call}>
              {number === 0 ? "" : ", "}
              <Call call={call} />
            </Fragment>
          ))}
          {calls.length > MOST_NAMED ? ` ${said.more(calls.length - MOST_NAMED)}` : ""}
        </span>
        {count > 1 ? <span className="text-xs text-muted">×{count}</span> : null}
        <span className={`ml-auto text-xs ${isDone ? "text-muted" : "text-danger"}`}>
          {isDone ? said.done : outcome}
        </span>
      </p>
      {paths.length === 0 ? null : (
        <p className="[overflow-wrap:anywhere]">
          {paths.slice(0, MOST_NAMED).join(", ")}
          {paths.length > MOST_NAMED ? ` ${said.more(paths.length - MOST_NAMED)}` : ""}
        </p>
      )}
      <p className="text-xs text-muted [overflow-wrap:anywhere]">
        <TimeAgo at={at} />
        {how === "" ? "" : ` · ${said.with} ${how}`}
        {from === null ? "" : ` · ${said.from} ${from}`}
      </p>
    </li>
  );
}
