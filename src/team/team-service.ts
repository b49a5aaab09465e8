import { UPDATE_ACTOR } from "../agents/agent-run.ts";
import type { Asker } from "../agents/contract.ts";
import { createMemory, type AskersParts, type Memory } from "../agents/memory.ts";
import type { DailyTidy } from "../agents/tidy/daily-tidy.ts";
import { ExpectedError } from "../errors.ts";
import { reconcile } from "../index/fill-index.ts";
import { modelView } from "../reader-view.ts";
import { dailySetting } from "../tidy-setting.ts";
import { AuditedIndex } from "./audit/audited-index.ts";
import { CallAudit } from "./audit/call-audit.ts";
import { CallerService } from "./caller-service.ts";
import { dailyRun } from "./daily-run.ts";
import type { Person } from "./people/people.ts";
import { PersonVault, type PersonWatch } from "./rights/person-vault.ts";
import { Limit, Rights } from "./rights/rights.ts";
import { openTeamParts, type TeamParts, type TeamServiceOptions } from "./team-parts.ts";
import { TeamProposals } from "./team-proposals.ts";

const INBOX = "inbox";

/** Somebody who calls, and what they may do in the vault now. */
export interface VaultCaller {
  /** Null for whoever runs the service. */
  readonly person: Person | null;
  readonly rights: Rights;
  /** What of these rights the credential left. */
  readonly limit: Limit;
}

interface Opened {
  readonly memory: Memory;
  readonly tidied: TeamProposals;
  readonly daily: DailyTidy;
}

/**
 * One vault of a team with all that serves it: what a folder's service does in its job is done in the write here. Any number of replicas may
 * have it open at once.
 */
export class TeamService {
  /** Of the whole vault: its queue runs in it, and {@link forCaller} gives each caller what they may use of it. */
  readonly memory: Memory;
  readonly #parts: TeamParts;
  readonly #tidied: TeamProposals;
  readonly #daily: DailyTidy;

  private constructor(parts: TeamParts, { memory, tidied, daily }: Opened) {
    this.memory = memory;
    this.#parts = parts;
    this.#tidied = tidied;
    this.#daily = daily;
  }

  static async open(options: TeamServiceOptions): Promise<TeamService> {
    const parts = await openTeamParts(options);
    try {
      const { vault, index, events, privates, settings } = parts;
      const onDone = events.onEvent.bind(events);
      const tidied = new TeamProposals(settings, options.onBug);
      const memory = await createMemory({
        vault,
        index,
        models: modelView({ vault, index, onDone }, () => privates.paths),
        now: options.now,
        onBug: options.onBug,
        model: options.model,
        asAsker: async (asker, batch, work) => asAsker(parts, asker, batch, work),
        createQueue: (work) => parts.openQueue(work),
        overlays: parts.overlays,
        tidied,
        daily: dailySetting(settings),
        steps: parts.steps,
        spending: parts.spending,
      });
      const daily = dailyRun({
        ...options,
        vault: options.row.id,
        settings,
        memory,
        beforeTidy: async () => refuseTelling(parts),
      });
      return new TeamService(parts, { memory, tidied, daily });
    } catch (error) {
      await parts.close();
      throw error;
    }
  }

  /** There may be an update to run, or one to recover. */
  wakeQueue(): void {
    this.#parts.queue()?.wake();
  }

  /** Looks for what is untidy, when that is to be done daily and has not been today. Resolves to whether it did. */
  async lookDaily(): Promise<boolean> {
    const isDone = await this.#daily.look();
    await this.#tidied.saved();
    return isDone;
  }

  /** Reads the settings again, for a replica that may have missed that they changed. */
  async reloadSettings(): Promise<void> {
    await this.#parts.settings.load();
  }

  /** The number of the last change that is known here, the same on all replicas. */
  get lastEvent(): number {
    return this.#parts.events.last;
  }

  /** The vault as a caller may use it, until that is closed. */
  forCaller({ person, rights, limit }: VaultCaller): CallerService {
    const parts = this.#parts;
    const { row, team, events, lexical, vault: whole, policy, privates } = parts;
    const audit = new CallAudit({ log: team.audit, vault: row.name, person });
    const view = parts.views.hold(rights);
    const watch = watchOf(audit, rightsNow(parts, person, limit));
    const seen = new PersonVault({ vault: whole, rights, watch });
    const vault = Object.assign(seen, { root: row.name, state: "" });
    const index = new AuditedIndex(view.index, audit.read);
    const asker = person === null ? null : askerOf(person, limit, rights);
    return new CallerService({
      vault,
      index,
      rights,
      privates,
      audit,
      onDone: (listener) => events.onEvent(listener),
      onPresence: parts.onPresence,
      rescan: async () => reconcile(whole, lexical),
      policy,
      ingest: parts.ingestFor(vault),
      memory: (models) =>
        this.memory.forCaller({
          vault,
          index,
          models,
          asker,
          mayChange: rights.changesSomething,
          seesAll: rights.seesAll,
          isOwner: rights.isOwner,
          covers: (key) => rights.covers(Rights.of(key)),
          beforeTidy: async () => refuseTelling(parts),
        }),
      release: () => view.release(),
    });
  }

  async close(): Promise<void> {
    await this.#daily.close();
    await this.memory.close();
    await this.#tidied.saved();
    await this.#parts.close();
  }
}

function askerOf({ id, name }: Person, limit: Limit, rights: Rights): Asker {
  return { id, name, limit: limitText(limit), rights: rights.key };
}

function limitText({ scopes, folder }: Limit): string {
  return JSON.stringify({ scopes: scopes.toSorted(), folder });
}

/** For a person, what they may do is asked again in every change: a right that is taken away meanwhile is gone. */
function rightsNow(
  { team, row }: TeamParts,
  person: Pick<Person, "id"> | null,
  limit: Limit,
): (() => Promise<Rights>) | null {
  return person === null ? null : async () => team.grants.rights(person.id, row.id, [limit]);
}

function watchOf({ read, changed }: CallAudit, now: ReturnType<typeof rightsNow>): PersonWatch {
  return { read, changed, ...(now === null ? {} : { rightsNow: now }) };
}

/** Runs an agent's work with what its asker may do now. Throws `no_permission` when that is nothing any more. */
async function asAsker<T>(
  parts: TeamParts,
  { id, limit: limitGiven }: Asker,
  batch: string,
  work: (given: AskersParts) => Promise<T>,
): Promise<T> {
  const { team, row, vault: whole, privates, events } = parts;
  const limit = Limit.parse(JSON.parse(limitGiven));
  const person = await team.people.find(id);
  const rights = await team.grants.rights(id, row.id, [limit]);
  if (person === null || person.disabled !== null || !rights.changesSomething)
    throw new ExpectedError(
      "no_permission",
      "Who handed this over may no longer change this vault. Nothing was changed.",
    );
  // What the run has read would come to others by what it writes, so it ends when its asker loses some of it: before its next call, and in each change.
  const stillRights = async (): Promise<Rights> => {
    const [asker, now] = [
      await team.people.find(id),
      await team.grants.rights(id, row.id, [limit]),
    ];
    if (asker !== null && asker.disabled === null && now.covers(rights)) return now;
    throw new ExpectedError(
      "no_permission",
      "Who handed this over may no longer read all that they could when it began, so it was stopped.",
    );
  };
  const client = UPDATE_ACTOR;
  const byItself = { client, credential: null, address: null };
  const audit = new CallAudit({ log: team.audit, vault: row.name, person, byItself });
  const view = parts.views.hold(rights);
  try {
    const vault = new PersonVault({
      vault: whole,
      rights,
      watch: watchOf(audit, stillRights),
      nameOf: (actor) => `${person.name} (${actor})`,
      batch,
    });
    const { index } = view;
    const onDone = events.onEvent.bind(events);
    const models = modelView({ vault, index, onDone }, () => privates.paths);
    return await work({
      vault,
      index,
      models,
      seesAll: rights.seesAll,
      rights: rights.key,
      stillMay: async () => void (await stillRights()),
    });
  } finally {
    view.release();
  }
}

/** What is found untidy stands in the inbox, with names from all over the vault: it is not looked for while somebody may read the one and not the other. */
async function refuseTelling({ team, row }: TeamParts): Promise<void> {
  const grants = await team.grants.list({ vault: row.id });
  for (const own of Map.groupBy(grants, ({ person }) => person).values()) {
    const rights = new Rights(own);
    if (rights.mayRead(INBOX) && !rights.seesAll)
      throw new ExpectedError(
        "conflict",
        "Somebody may read the inbox and not all of the vault: what is found untidy would tell them names of the rest.",
      );
  }
}
