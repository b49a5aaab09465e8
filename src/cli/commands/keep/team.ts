import { nonEmpty } from "../../../config.ts";
import { openPostgres } from "../../../storage/postgres/postgres.ts";
import type { AuditQuery } from "../../../team/audit/audit-log.ts";
import { Team } from "../../../team/people/team.ts";
import { ROLES } from "../../../team/rights/rights.ts";
import { localTime } from "../../../text/local-time.ts";
import { databaseOption, databaseUrl } from "../../vault/team-database.ts";
import { arg, defineCommand, UsageError } from "../../table/command.ts";
import { listPeople } from "./team-people.ts";
import {
  grant,
  invite,
  logOut,
  makeOwner,
  makeToken,
  rename,
  revoke,
  type Given,
  type TeamCommand,
} from "./team-changes.ts";

const DAY = 86_400_000;

const ACTIONS = [
  "people",
  "owner",
  "invite",
  "token",
  "grant",
  "name",
  "logout",
  "revoke",
  "audit",
] as const;

export const team = defineCommand({
  name: "team",
  summary: "Say who may use the vaults of a database: people, invitations, tokens, rights",
  positionals: {
    action: arg.text(
      "ACTION",
      "people (default), owner, invite, token, grant, name, logout, revoke or audit",
      { choices: ACTIONS },
    ),
    who: arg.text(
      "WHO",
      "A person's id or e-mail address; for revoke also the id of a token or an invitation",
    ),
  },
  options: {
    database: databaseOption,
    in: arg.text("VAULT", "The name of a vault in the database"),
    name: arg.text("NAME", "What a person or a token is called"),
    role: arg.text("ROLE", "What they may do: none, viewer, editor or owner", { choices: ROLES }),
    folder: arg.text("PATH", "Only this folder of the vault"),
    days: arg.number(
      "N",
      "Days until it ends (invitation: 7, token: 90); of the audit, how far back",
    ),
    address: arg.text(
      "URL",
      "Where browsers reach the service, for the link of an invitation (else $COFFRE_PUBLIC_URL, else http://127.0.0.1:4117)",
    ),
    "read-only": arg.flag("A token that can look and not change"),
  },
  usage:
    "[people] | owner EMAIL | invite EMAIL | token WHO | grant WHO | name WHO | logout WHO | revoke WHO | audit",
  details:
    "Whoever can reach the database can do this: it is how the first owner of a vault is made. Tokens and links are shown once. From their next call on, people have what is stored here. Whoever holds the token of the service itself may do everything in every vault.",
  examples: [
    "coffre team owner ada@example.org --name Ada --in notes --database postgres://localhost/coffre",
    "coffre team invite bob@example.org --in notes --role editor --database postgres://localhost/coffre",
    "coffre team grant bob@example.org --in notes --folder hr --role none --database postgres://localhost/coffre",
  ],
  run: async (input, { screen, now, environment }) => {
    const url = databaseUrl(input.text("database"), { environment });
    if (url === undefined)
      throw new UsageError("--database URL is missing: which database to use.");
    const database = await openPostgres({ url, connections: 2 });
    const given: Given = {
      who: input.text("who"),
      vault: input.text("in"),
      name: input.text("name"),
      role: input.text("role"),
      folder: input.text("folder"),
      address:
        input.text("address") ??
        nonEmpty(environment["COFFRE_PUBLIC_URL"]) ??
        "http://127.0.0.1:4117",
      days: input.number("days"),
      isReadOnly: input.flag("read-only"),
    };
    try {
      const command = { team: new Team(database, now), database, given, screen, now };
      await RUN[input.text("action") ?? "people"]?.(command);
    } finally {
      await database.close();
    }
  },
});

const RUN: Readonly<Record<string, (command: TeamCommand) => Promise<void>>> = {
  people: listPeople,
  owner: makeOwner,
  invite,
  token: makeToken,
  grant,
  name: rename,
  logout: logOut,
  revoke,
  audit: showAudit,
};

async function showAudit({ team: everyone, given, screen, now }: TeamCommand): Promise<void> {
  const person = given.who === undefined ? null : await everyone.people.get(given.who);
  const query: Omit<AuditQuery, "limit"> = {
    ...(given.vault === undefined ? {} : { vault: given.vault }),
    ...(person === null ? {} : { person: person.id }),
    ...(given.days === undefined ? {} : { since: new Date(now().getTime() - given.days * DAY) }),
  };
  if (screen.json) {
    for await (const line of everyone.audit.export(query)) screen.print(line);
    return;
  }
  const rows = await everyone.audit.list({ ...query, limit: 100 });
  const lines = rows.map(({ at, person: by, client, call, paths, address, outcome }) =>
    [localTime(at), by?.name ?? "-", client ?? "-", call, paths.join(" "), address ?? "-", outcome]
      .filter((part) => part !== "")
      .join(" · "),
  );
  screen.print(lines.length === 0 ? screen.translate("Nothing was recorded.") : lines.join("\n"));
}
