import type { Status, VaultSummary } from "../../server/api/contract.ts";
import { readTime } from "../../text/local-time.ts";
import { formatBytes, formatTokens } from "../../text/tokens.ts";

/** What `coffre status` knows, as programs get it. */
export interface StatusFacts
  extends VaultSummary, Pick<Status, "version" | "index" | "frontmatter" | "ignored" | "spent"> {
  /** What the last service left as it is; left out when there is nothing, or a service says it. */
  readonly left?: Status["left"];
  /** Null when none runs. */
  readonly service: ServiceFacts | null;
}

/** Of the running service, what it alone knows. */
export interface ServiceFacts extends Omit<
  Status,
  "vault" | "index" | "frontmatter" | "ignored" | "spent"
> {
  readonly pid: number;
  readonly started: string;
  /** Where the page is; null when it has none. */
  readonly address: string | null;
}

type Row = readonly [name: string, value: string];

/** Enough to see what is wrong; all of them are in the JSON. */
const MOST_LEFT = 5;

/** The same for people. */
export function statusText(facts: StatusFacts, translate: (text: string) => string): string {
  const { files, folders, tokens, history, service } = facts;
  const content = `${count(files, "file")} in ${count(folders, "folder")}, ${formatTokens(tokens)} tokens`;
  const english: Row[] = [
    ["Vault", facts.vault],
    ["Content", content],
    ...ignoredRows(facts.ignored),
    ["State", facts.state],
    ["History", `${count(history.entries, "change")}, ${formatBytes(history.bytes)}`],
    ["Index", indexText(facts.index, service !== null)],
    ["Notes", frontmatterText(facts.frontmatter)],
    ...spentRows(facts.spent),
    ...(service === null
      ? [["Service", "no service running"] as const]
      : serviceRows(service, facts.index.pending)),
    ...leftRows(service?.left ?? facts.left ?? [], facts.frontmatter.left),
    ["Version", facts.version],
  ];
  const rows = english.map(([name, value]): Row => [translate(name), translate(value)]);
  const width = 2 + Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}${value}`).join("\n");
}

function ignoredRows({ hidden, unlisted }: StatusFacts["ignored"]): Row[] {
  return [
    ...(hidden === 0 ? [] : [["Hidden", `${hidden} by .coffreignore`] as const]),
    ...(unlisted === 0 ? [] : [["Unlisted", `${unlisted} by .gitignore or by name`] as const]),
  ];
}

/** What models used up today, once they did, or when there is a limit. */
function spentRows(spent: StatusFacts["spent"]): Row[] {
  const used = spent === null ? 0 : spent.input + spent.output;
  const most = spent?.most ?? null;
  if (most === null)
    return used === 0 ? [] : [["Today", `models used ${formatTokens(used)} tokens`]];
  const text = `models used ${formatTokens(used)} of ${formatTokens(most)} tokens`;
  return [["Today", used < most ? text : `${text}; they are asked again tomorrow`]];
}

function indexText(index: StatusFacts["index"], isServed: boolean): string {
  const size = `${count(index.files, "file")} in ${count(index.chunks, "section")}, ${formatBytes(index.bytes)}`;
  if (isServed) return size;
  return `${size}, ${pendingText(index.pending)}`;
}

function pendingText(pending: number): string {
  return pending === 0 ? "up to date" : `${count(pending, "file")} to look at`;
}

/** Some of the files that are left as they are, by name: the counts have all. */
function leftRows(left: Status["left"], counts: Status["frontmatter"]["left"]): Row[] {
  const shown = left.slice(0, MOST_LEFT);
  const { "own-key": own = 0, invalid = 0, undone = 0, "not-utf8": unreadable = 0 } = counts;
  const others = Math.max(left.length, own + invalid + undone + unreadable) - shown.length;
  return [
    ...shown.map(({ path, problem }) => ["Left as is", `${path}: ${problem}`] as const),
    ...(others > 0 ? [["Left as is", `${others} more`] as const] : []),
  ];
}

function serviceRows(service: ServiceFacts, pending: number): Row[] {
  const { pid, started, address, version, watcher, lastError, alarms } = service;
  const { inbox, queue } = service;
  const unwatched = watcher.unwatched === 0 ? "" : `, ${watcher.unwatched} not watched`;
  return [
    [
      "Service",
      `running with pid ${pid} since ${readTime(started) ?? started}, version ${version}`,
    ],
    [
      "Page",
      address === null ? "none: coffre serve has one" : `${address} (coffre open lets you in)`,
    ],
    [
      "Watcher",
      `${watcher.alive ? "alive" : "not alive"}, ${count(watcher.folders, "folder")}${unwatched}`,
    ],
    ["Pending", pendingText(pending)],
    ["Model", modelText(service.model)],
    ["Inbox", inbox === 0 ? "nothing waits" : `${count(inbox, "item")} to answer`],
    ["Queue", queueText(queue)],
    ["Tidying", tidyText(service.tidy)],
    ["Deep", deepText(service.deep)],
    ["Last event", watcher.lastEvent ?? "none yet"],
    ["Last error", lastError ?? "none"],
    ...(alarms.length === 0 ? ["none"] : alarms).map((alarm) => ["Alarm", alarm] as const),
  ];
}

const FRONTMATTER_TEXTS = {
  all: "frontmatter is written into all of them",
  own: "frontmatter is written only into those that coffre makes",
  none: "no frontmatter is written",
} as const;

function frontmatterText({ setting, chosen, left }: Status["frontmatter"]): string {
  const { toml = 0, json = 0, invalid = 0, "own-key": own = 0, "read-only": locked = 0 } = left;
  const { "not-utf8": unreadable = 0 } = left;
  const kept = [
    own > 0 ? `${own} with own keys` : "",
    toml + json > 0 ? `${toml + json} with TOML or JSON` : "",
    invalid > 0 ? `${invalid} with invalid YAML` : "",
    locked > 0 ? `${locked} read-only` : "",
    unreadable > 0 ? `${unreadable} in another encoding` : "",
  ].filter((part) => part !== "");
  const choice = chosen ? setting : `${setting}, by default; coffre adopt changes it`;
  const text = `${FRONTMATTER_TEXTS[setting]} (${choice})`;
  return kept.length === 0 ? text : `${text}; left as they are: ${kept.join(", ")}`;
}

function modelText(model: ServiceFacts["model"]): string {
  if (model === null) return "none: notes wait in the inbox, questions get the passages";
  return model.problem === null ? model.name : `${model.name} cannot be used: ${model.problem}`;
}

function queueText({ waiting, running }: ServiceFacts["queue"]): string {
  return waiting + running === 0 ? "empty" : `${running} running, ${waiting} waiting`;
}

function tidyText({ daily, last }: ServiceFacts["tidy"]): string {
  const when = daily ? "every day" : "only when asked for";
  return last === null ? `${when}, not yet` : `${when}, last on ${readTime(last) ?? last}`;
}

/** What `deep` searches with, and how far it is. */
export function deepText(deep: Status["deep"]): string {
  const { engine, model, state, embedded, pending, problem } = deep;
  if (engine === "words") {
    if (state === "opening") return "by words, while the model is opened";
    return problem === null ? "by words: no model" : `by words: ${problem}`;
  }
  const who = `by meaning, ${engine === "qmd" ? "QMD" : "an embedding server"} with ${model}`;
  const progress = `${embedded} of ${count(embedded + pending, "section")} embedded`;
  const paused = state === "paused" ? ", paused while the machine is busy" : "";
  return `${who}: ${progress}${paused}${problem === null ? "" : `; ${problem}`}`;
}

function count(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? "" : "s"}`;
}

/** For a person: a link into the page, and how long it works. */
export function linkText(link: string): string {
  return `This link works once, for 10 minutes:\n${link}`;
}
