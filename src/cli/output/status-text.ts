import type { Status, VaultSummary } from "../../server/api/contract.ts";
import { readTime } from "../../text/local-time.ts";
import { formatBytes, formatTokens } from "../../text/tokens.ts";

/** What `coffre status` knows, as programs get it. */
export interface StatusFacts extends VaultSummary, Pick<Status, "version" | "index"> {
  /** Null when none runs. */
  readonly service: ServiceFacts | null;
}

/** Of the running service, what it alone knows. */
export interface ServiceFacts extends Omit<Status, "vault" | "index"> {
  readonly pid: number;
  readonly started: string;
  /** Where the page is; null when it has none. */
  readonly address: string | null;
}

type Row = readonly [name: string, value: string];

/** Enough to see what is wrong; all of them are in the JSON. */
const MOST_LEFT = 5;

/** The same for people. */
export function statusText(facts: StatusFacts): string {
  const { files, folders, tokens, history, service } = facts;
  const content = `${count(files, "file")} in ${count(folders, "folder")}, ${formatTokens(tokens)} tokens`;
  const rows: Row[] = [
    ["Vault", facts.vault],
    ["Content", content],
    ["State", facts.state],
    ["History", `${count(history.entries, "change")}, ${formatBytes(history.bytes)}`],
    ["Index", indexText(facts.index, service !== null)],
    ...(service === null
      ? [["Service", "no service running"] as const]
      : serviceRows(service, facts.index.pending)),
    ["Version", facts.version],
  ];
  const width = 2 + Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}${value}`).join("\n");
}

function indexText(index: StatusFacts["index"], isServed: boolean): string {
  const size = `${count(index.files, "file")} in ${count(index.chunks, "section")}, ${formatBytes(index.bytes)}`;
  if (isServed) return size;
  return `${size}, ${pendingText(index.pending)}`;
}

function pendingText(pending: number): string {
  return pending === 0 ? "up to date" : `${count(pending, "file")} to look at`;
}

function serviceRows(service: ServiceFacts, pending: number): Row[] {
  const { pid, started, address, version, watcher, lastError, alarms, left } = service;
  const { inbox, queue } = service;
  const unwatched = watcher.unwatched === 0 ? "" : `, ${watcher.unwatched} not watched`;
  const others = left.length - MOST_LEFT;
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
    ["Deep", deepText(service.deep)],
    ["Last event", watcher.lastEvent ?? "none yet"],
    ["Last error", lastError ?? "none"],
    ...(alarms.length === 0 ? ["none"] : alarms).map((alarm) => ["Alarm", alarm] as const),
    ...left
      .slice(0, MOST_LEFT)
      .map(({ path, problem }) => ["Left as is", `${path}: ${problem}`] as const),
    ...(others > 0 ? [["Left as is", `${others} more`] as const] : []),
  ];
}

function modelText(model: ServiceFacts["model"]): string {
  if (model === null) return "none: notes wait in the inbox, questions get the passages";
  return model.problem === null ? model.name : `${model.name} cannot be used: ${model.problem}`;
}

function queueText({ waiting, running }: ServiceFacts["queue"]): string {
  return waiting + running === 0 ? "empty" : `${running} running, ${waiting} waiting`;
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
