import type { Random } from "../../src/testing/random.ts";
import { mutated, mutatedFile } from "../ingest/mutate.ts";
import { CALLS } from "../mcp/calls.ts";
import { MCP_QUERIES, MEMORY_MESSAGES, MESSAGES, ROUTES, type Message } from "./doors.ts";
import type { Input } from "./input.ts";
import { SAMPLES } from "./samples.ts";
import { anyText, anyValue, mutatedValue, spliced } from "./values.ts";

/** Anything that a service can be sent; most of it a valid one with a few things wrong. */
export function anyInput(random: Random): Input {
  return (
    random.weighed<() => Input>([
      [6, () => toolInput(random)],
      [3, () => queryInput(random)],
      [3, () => routeInput(random)],
      [3, () => frameInput(random)],
      [3, () => mcpInput(random)],
      [2, () => stdioInput(random)],
      [1, () => ingestInput(random)],
      [3, () => noteInput(random)],
    ])?.() ?? toolInput(random)
  );
}

const LOOKING = new Set(["tree", "read", "search", "concat"]);

function toolInput(random: Random): Input {
  const { tool, args } = random.pick(CALLS) ?? { tool: "tree", args: {} };
  const profile = LOOKING.has(tool) && random.isChance(0.5) ? "search" : "update";
  let wrong: unknown = args;
  for (let turn = random.below(4); turn > 0; turn -= 1) wrong = mutatedValue(wrong, random);
  return { kind: "tool", tool, profile, args: wrong };
}

const PIECES =
  'pompe|"the roof|l\'été|-oak|tag:a|path:vault/projects|status:en-cours|updated:|OR|AND|NEAR(a,2)|*|^|(|)|{|}|[décision]|:|"|""|2026-03-14|#|TVA Q3|会議|task:done|due:<2026|-"a b"|\\'.split(
    "|",
  );

function queryInput(random: Random): Input {
  const query = (): string =>
    Array.from({ length: random.below(8) }, () =>
      random.isChance(0.8) ? (random.pick(PIECES) ?? "") : anyText(random),
    ).join(random.isChance(0.8) ? " " : "");
  const maybe = (key: string, value: () => unknown): Record<string, unknown> =>
    random.isChance(0.25) ? { [key]: value() } : {};
  const args = {
    queries: Array.from({ length: 1 + random.below(3) }, query),
    mode: random.isChance(0.7) ? "fast" : "deep",
    ...maybe("scopes", () => [random.isChance(0.5) ? anyText(random) : "vault/projects/**"]),
    ...maybe("limit", () => random.below(60)),
    ...maybe("date_from", () => (random.isChance(0.5) ? "2026-03-01" : anyText(random))),
    ...maybe("date_to", () => (random.isChance(0.5) ? "2026-03-20" : anyText(random))),
  };
  return { kind: "tool", tool: "search", profile: "search", args };
}

function routeInput(random: Random): Input {
  const { method, path, body, headers, isLocal } = random.pick(ROUTES) ?? {
    method: "GET",
    path: "/",
  };
  const wrong = random.isChance(0.7) ? mutatedUrl(path, random) : path;
  return {
    kind: "route",
    method,
    path: wrong,
    body: body === undefined || random.isChance(0.2) ? (body ?? null) : mutatedValue(body, random),
    ...(headers === undefined ? {} : { headers: wrongHeaders(headers, random) }),
    ...(isLocal === undefined ? {} : { isLocal }),
  };
}

/** Printable, as a client's library lets through. */
function wrongHeaders(
  headers: Readonly<Record<string, string>>,
  random: Random,
): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => [
    name,
    (random.isChance(0.5) ? spliced(value, random) : value).replaceAll(/[^ -~]/gu, "x"),
  ]);
  return Object.fromEntries(entries);
}

function mutatedUrl(path: string, random: Random): string {
  const encoded = encodeURIComponent(anyText(random).slice(0, 2000).toWellFormed());
  return (
    random.weighed<() => string>([
      [3, () => path.replace(/=[^&]*/u, `=${encoded}`)],
      [1, () => path.replace(/\/[^/]*$/u, `/${encoded}`)],
      [1, () => `${path}${path.includes("?") ? "&" : "?"}${encoded}=${encoded}`],
      [1, () => path.replace(/=[^&]*/u, "=%ff%00%")],
    ])?.() ?? path
  );
}

const FRAMES = [
  "GET /api/status HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n",
  'POST /api/tools/tree?profile=search HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: 16\r\nConnection: close\r\n\r\n{"path":"vault"}',
  'POST /api/tools/tree?profile=search HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n8\r\n{"path":\r\n8\r\n"vault"}\r\n0\r\n\r\n',
  'POST /api/ingest HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 108\r\nConnection: close\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--\r\n',
  "GET /login?link=abc HTTP/1.1\r\nHost: {host}\r\nCookie: coffre-1=%ff\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n",
  "GET http://{host}/api/status HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n",
  "GET /api/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nLast-Event-ID: 1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
];

function frameInput(random: Random): Input {
  const frame = Buffer.from(random.pick(FRAMES) ?? "");
  const bytes = random.isChance(0.9)
    ? mutated(frame, random)
    : Buffer.from(spliced(frame.toString(), random));
  return { kind: "frame", bytes: bytes.toString("base64") };
}

const VERSIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];
function message(random: Random, messages: readonly Message[] = MESSAGES): string {
  const [method, params] = random.pick(messages) ?? ["ping", {}];
  const right: unknown = { jsonrpc: "2.0", id: random.below(100), method, params };
  const isMutated = random.isChance(0.85);
  const wrong = isMutated
    ? mutatedValue(right, random)
    : random.isChance(0.5)
      ? right
      : anyValue(random);
  const text = JSON.stringify(wrong ?? null);
  return random.isChance(0.1) ? mutated(Buffer.from(text), random).toString("utf8") : text;
}

function mcpInput(random: Random): Input {
  const profile = random.pick(["update", "search", "memory"]) ?? "update";
  const version = random.pick(VERSIONS) ?? "2025-06-18";
  const query = random.pick(MCP_QUERIES) ?? "";
  const wrong = random.isChance(0.2) ? mutatedUrl(query, random) : query;
  // The other servers must say that they have no such tools.
  const isOfMemory = profile === "memory" ? random.isChance(0.7) : random.isChance(0.1);
  const body = message(random, isOfMemory ? MEMORY_MESSAGES : MESSAGES);
  return { kind: "mcp", profile, version, query: wrong, body };
}

function stdioInput(random: Random): Input {
  return { kind: "stdio", line: message(random).replaceAll("\n", " ") };
}

function ingestInput(random: Random): Input {
  const [name, original] = random.pick(SAMPLES) ?? ["a.txt", Buffer.from("x")];
  const wrong = random.isChance(0.15) ? spliced(name, random) : name;
  const bytes = mutatedFile(original, random).toString("base64");
  const input = { name: wrong.replaceAll(/[\r\n"]/gu, "_").toWellFormed(), bytes };
  if (random.isChance(0.7)) return { kind: "ingest", ...input };
  const [other, more] = random.pick(SAMPLES) ?? ["a.txt", Buffer.from("x")];
  const second = { name: other, bytes: mutatedFile(more, random).toString("base64") };
  const value = random.isChance(0.5) ? "vault/bucket/taken" : anyText(random).slice(0, 200);
  const fields = { to: value.replaceAll(/[\r\n]/gu, "_").toWellFormed(), keep_original: "true" };
  return { kind: "ingest", ...input, more: [second], fields };
}

const HEADS = [
  "---\ntitle: A\ntags: [a, b]\nstatus: open\n---\n",
  "---\ncreated: 2026-01-01 10:00\nupdated: 2026-01-01 10:00\ntokens: 3\n---\n",
  "---\na: |\n  text\n  more\nb: >-\n  folded\n---\n",
  "---\na: &x {b: 1}\nc: *x\n? complex\n: value\n---\n",
  '+++\ntitle = "A"\n+++\n',
  '{\n  "title": "A"\n}\n',
  "---\r\nkey: value\r\n---\r\n",
  "---\n---\n",
  "---\ntitle: A\n...\n",
];
const BODY = "\n# Titre\n\nLa pompe, `code`.\n\n- [ ] Une tâche 📅 2026-04-01\n\n[[lien]]\n";

function noteInput(random: Random): Input {
  const head = Buffer.from((random.pick(HEADS) ?? "") + BODY);
  const bytes = random.isChance(0.7)
    ? mutated(head, random)
    : Buffer.from(spliced(head.toString(), random));
  const path = `fuzz/${random.below(20)}.md`;
  return { kind: "note", path, bytes: bytes.toString("base64") };
}
