import { afterAll, beforeAll } from "vitest";

import { openPostgres, type Postgres } from "../../src/storage/postgres/postgres.ts";
import { Team } from "../../src/team/people/team.ts";
import type { Role } from "../../src/team/rights/rights.ts";
import { makeVaultRow } from "../../src/vault/postgres/vault-row.ts";
import { PostgresServer } from "../team/postgres-server.ts";
import { ask, callTool, freePort, Replica } from "../team/replica.ts";
import { visit, type Visit, type VisitOptions } from "./chromium.ts";

/** Somebody with a browser. */
export interface Member {
  readonly id: string;
  readonly name: string;
  /** The value of the cookie of their login. */
  readonly cookie: string;
}

/** A real service on a real PostgreSQL, which is installed when it is missing: one for all tests of a file. */
export class TeamService {
  readonly #server = new PostgresServer(["fsync=off", "full_page_writes=off"]);
  readonly #environment: Readonly<Record<string, string>>;
  #database: Postgres | null = null;
  #team: Team | null = null;
  #replica: Replica | null = null;
  #vaults = 0;

  /** @param environment of the service, besides its database and token */
  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#environment = environment;
  }

  async start(): Promise<void> {
    await this.#server.start();
    const url = this.#server.url("postgres");
    this.#replica = new Replica({
      url,
      port: await freePort(),
      environment: this.#environment,
    });
    await this.#replica.started();
    this.#database = await openPostgres({ url });
    this.#team = new Team(this.#database, () => new Date());
  }

  async stop(): Promise<void> {
    await this.#replica?.end("SIGTERM");
    await this.#database?.close();
    await this.#server.remove();
  }

  get address(): string {
    return this.#replica?.address ?? "";
  }

  get team(): Team {
    if (this.#team === null) throw new Error("the service is not started");
    return this.#team;
  }

  get database(): Postgres {
    if (this.#database === null) throw new Error("the service is not started");
    return this.#database;
  }

  /** A new vault with these files. @param name left out, one that no other test has */
  async vault(files: Readonly<Record<string, string>>, name?: string): Promise<TeamVault> {
    this.#vaults += 1;
    const row = await makeVaultRow(this.database, name ?? `vault-${this.#vaults}`);
    const vault = new TeamVault(this, row.id, row.name);
    for (const [path, text] of Object.entries(files)) await vault.write(path, text);
    return vault;
  }
}

/** One vault of the service. */
export class TeamVault {
  readonly #service: TeamService;
  readonly id: number;
  readonly name: string;

  constructor(service: TeamService, id: number, name: string) {
    this.#service = service;
    this.id = id;
    this.name = name;
  }

  get address(): string {
    return `${this.#service.address}/v/${this.name}`;
  }

  /** Writes a file as a program with the service's own token. */
  async write(path: string, content: string): Promise<void> {
    const { isError, text } = await callTool(this.address, "write", {
      path: `vault/${path}`,
      content,
    });
    if (isError) throw new Error(text);
  }

  /** The text of a file, as it is in the database. */
  async read(path: string): Promise<string> {
    const answer = await ask(`${this.address}/api/raw?path=${encodeURIComponent(`vault/${path}`)}`);
    return answer.text();
  }

  /** Somebody new who is logged in, with these roles by folder; `""` is the whole vault. */
  async member(name: string, roles: Readonly<Record<string, Role>>): Promise<Member> {
    const { team } = this.#service;
    const [first = ""] = name.toLowerCase().split(" ");
    const known = await team.people.find(`${first}@example.com`);
    const { id } = known ?? (await team.people.add(name, `${first}@example.com`));
    await this.grant(id, roles);
    const { cookie } = await team.sessions.start(id);
    return { id, name, cookie };
  }

  async grant(person: string, roles: Readonly<Record<string, Role | null>>): Promise<void> {
    for (const [folder, role] of Object.entries(roles))
      await this.#service.team.grants.set(person, this.id, folder, role);
  }

  /** Opens a view of the page in the browser of somebody. */
  async open({ cookie }: Member, where = "/", options: VisitOptions = {}): Promise<Visit> {
    const { address } = this.#service;
    const cookies = [{ name: "coffre-session", value: cookie, url: address }];
    return visit(this.address + where, { ...options, cookies });
  }
}

/** One service for the tests of a file. */
export function useTeamService(environment?: Readonly<Record<string, string>>): TeamService {
  const service = new TeamService(environment);
  beforeAll(async () => service.start(), 180_000);
  afterAll(async () => service.stop());
  return service;
}
