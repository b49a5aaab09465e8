import { pngFile } from "../../src/ingest/testing/png-file.ts";

/** An item of the inbox that routes and tools of the memory are asked about. */
export const INBOX_REF = "2026-01-01-x";
const QUOTED = "[1] vault/tasks.md:1-2 · sha256:0a1b2c3d";

export interface Route {
  readonly method: "GET" | "POST";
  /** `{update}` stands for the last update that was taken, `{history}` for the last change that was made. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Only answered on the socket of the person's own commands. */
  readonly isLocal?: boolean;
}

const get = (path: string, headers?: Route["headers"]): Route => ({
  method: "GET",
  path,
  ...(headers === undefined ? {} : { headers }),
});
const post = (path: string, body: unknown = {}, more: Partial<Route> = {}): Route => ({
  method: "POST",
  path,
  body,
  ...more,
});

/** Every route of the service but those that stop it, or make its work over again for seconds. */
export const ROUTES: readonly Route[] = [
  get("/api/status"),
  get("/api/vault"),
  get("/api/tree?path=vault/projects&depth=1"),
  get("/api/files?after=vault/a.md&limit=3"),
  get("/api/file?path=vault/tasks.md"),
  get("/api/raw?path=vault/tasks.md&max_bytes=100"),
  get("/api/entry?path=vault/"),
  get("/api/history?path=vault/tasks.md&limit=5"),
  get("/api/history/{history}"),
  get("/api/links?path=vault/tasks.md"),
  get("/api/links/dead?limit=5"),
  get("/api/tags"),
  get("/api/places?q=roof&limit=5"),
  get("/api/properties?key=status&q=en&limit=5"),
  get("/api/filters?typed=tag:wo"),
  get("/api/note?path=vault/tasks.md"),
  get("/api/media?path=vault/bucket/played.pdf", { range: "bytes=0-9" }),
  get("/api/inbox"),
  get(`/api/inbox/${INBOX_REF}`),
  get(`/api/inbox/${INBOX_REF}/filing`),
  get("/api/updates"),
  get("/api/updates/{update}"),
  get("/api/private"),
  get("/api/adopt"),
  get("/api/tidy"),
  get("/assets/index.js"),
  get("/frame/math.js"),
  get("/icons/icon.svg"),
  get("/app.webmanifest"),
  get("/worker.js"),
  get("/mcp/none"),
  post("/api/update", { content: "A note about the pump", inbox_ref: null, images: [] }),
  post("/api/update", { content: "A note about the roof", preview: true, said_by_person: true }),
  post("/api/update", { content: "It belongs to the garden", inbox_ref: INBOX_REF }),
  post("/api/update", {
    content: "",
    images: [{ name: "a.png", data: pngFile().toString("base64") }],
  }),
  post("/api/updates/{update}/cancel"),
  post("/api/updates/{update}/retry"),
  post("/api/updates/{update}/accept"),
  post("/api/updates/{update}/reject"),
  post(`/api/inbox/${INBOX_REF}/file`, {
    changes: [{ do: "append", path: "vault/tasks.md", content: "- [ ] x", position: "bottom" }],
  }),
  post("/api/search", { question: "Who called the roofer?" }),
  post("/api/verify", { answer: `The roofer. ${QUOTED}` }),
  post("/api/verify", { sources: [{ path: "vault/tasks.md", lines: "1-2", sha256: "0a1b2c3d" }] }),
  post("/api/undo", { id: "last", force: false }),
  post("/api/undo", { id: "{history}", force: true }),
  post("/api/undo/own", { id: "{history}" }),
  post("/api/note", { path: "vault/bucket/page.md", body: "# A page\n", base: null }),
  post("/api/note", { path: "vault/tasks.md", body: "# Tasks\n", base: "0a1b2c3d" }),
  post("/api/note/task", {
    path: "vault/tasks.md",
    line: 3,
    text: "- [ ] Call the roofer",
    done: true,
  }),
  post("/api/note/properties", {
    path: "vault/projects/voilerie/state.md",
    set: { status: "fini", tags: ["a"] },
    remove: ["kind"],
  }),
  post("/api/note/attachment?note=vault/tasks.md&name=a", "not a picture", {
    headers: { "content-type": "image/png" },
  }),
  post("/api/private", { add: ["vault/bucket/gone"], remove: [] }),
  post("/api/private", { add: [], remove: ["vault/bucket/gone"] }),
  post("/api/adopt", { frontmatter: "all" }),
  post("/api/tidy", {}),
  post("/api/tidy", { daily: true }),
  post("/api/init", { lang: "fr", demo: false }),
  post("/api/settle?all=true"),
  post("/api/hand-over"),
  post("/api/link", {}, { isLocal: true }),
  post("/api/forget", { value: "the kiln", as: "text", dry_run: true }, { isLocal: true }),
  post("/api/forget", { value: "vault/bucket/never.md", as: null }, { isLocal: true }),
  post("/api/forget", { value: "the kiln", dry_run: true }),
  post("/api/backup"),
  post("/api/backup", {}, { isLocal: true }),
  post("/api/tools/tree?profile=search&max_tokens=500&answer=content"),
  post("/api/tools/append?preview=true&write=bucket/**", {
    path: "vault/bucket/quote.md",
    content: "More.",
    position: "bottom",
  }),
];

/** What a URL of an MCP server may say of its client. */
export const MCP_QUERIES = [
  "",
  "?write=bucket/**",
  "?write=bucket/**&write=projects/x/**",
  "?preview=true",
  "?max_tokens=500",
] as const;

export type Message = readonly [method: string, params: unknown];

const toolCall = (name: string, args: unknown): Message => [
  "tools/call",
  { name, arguments: args },
];

/** To any MCP server; the tools of one profile are unknown to another, which must say so. */
export const MESSAGES: readonly Message[] = [
  ["tools/list", {}],
  toolCall("read", { paths: ["vault/tasks.md"] }),
  toolCall("search", { queries: ["roof"], mode: "fast" }),
  toolCall("append", { path: "vault/a.md", content: "x", position: "top" }),
  ["resources/list", { cursor: "x" }],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "vault:///tasks.md" }],
  ["resources/subscribe", { uri: "vault:///tasks.md" }],
  ["resources/unsubscribe", { uri: "vault:///tasks.md" }],
  ["subscriptions/listen", { notifications: { resourceSubscriptions: ["vault:///tasks.md"] } }],
  ["server/discover", {}],
  ["prompts/list", {}],
  ["prompts/get", { name: "search", arguments: { question: "x" } }],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "search" }, argument: { name: "question", value: "x" } },
  ],
  ["ping", {}],
  ["logging/setLevel", { level: "debug" }],
  ["notifications/cancelled", { requestId: 1, reason: "x" }],
  ["initialize", { protocolVersion: "x", capabilities: {}, clientInfo: { name: "x" } }],
];

/** To the server of the memory. */
export const MEMORY_MESSAGES: readonly Message[] = [
  toolCall("remember", { content: "The roofer comes on Monday", said_by_person: true }),
  toolCall("remember", { content: "It belongs to the garden", inbox_ref: INBOX_REF, wait: true }),
  toolCall("remember", {
    content: "A file",
    files: [{ name: "a.csv", data: "YSxiCjEsMgo=" }],
  }),
  toolCall("recall", { question: "Who called the roofer?" }),
  toolCall("inbox", {}),
  toolCall("inbox", { ref: INBOX_REF, ask: true }),
  toolCall("verify", { answer: `The roofer. ${QUOTED}` }),
  toolCall("file", {
    ref: INBOX_REF,
    changes: [
      { do: "edit", path: "vault/tasks.md", old_content: "Call", new_content: "Phone" },
      { do: "write", path: "vault/bucket/filed.md", content: "# Filed\n" },
    ],
  }),
  toolCall("undo", { id: "last" }),
];
