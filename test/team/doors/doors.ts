import type { Client } from "@modelcontextprotocol/client";

import { FOLDERS, INGESTED, WORDS, type MarkedVault } from "./marked-vault.ts";
import { moreDoors } from "./more-doors.ts";
import { http, type Tried } from "./reader.ts";

type Pick3 = readonly [one: number, two: number, three: number];

/** Something to try, by numbers that pick among what there is. */
export function doorFor(marked: MarkedVault, door: number, [one, two, three]: Pick3): Tried {
  const known = [...marked.seen.keys()];
  const hidden = [...marked.hidden.keys()];
  const of = <T>(things: readonly T[], at: number): T | undefined => things[at % things.length];
  const guess = of(hidden, two) ?? "hr/x.md";
  const places = [of(known, one), of(known, two), of(FOLDERS, one), guess, guess.slice(0, -4)];
  const others = ["", "tree.md", `${of(FOLDERS, two)}/new.md`, guess.replace(/[^/]+$/u, "")];
  const place = (at: number): string => `vault/${of([...places, ...others], at) ?? ""}`;
  const word = of(WORDS, three) ?? "kiln";
  const begun = (of(marked.marks, one) ?? "zqx").slice(0, -2);
  const query = of([begun, word, `${word} ${of(WORDS, one)}`, "kilm", `tag:${begun}`], two) ?? word;
  const path = place(three);
  const at = encodeURIComponent(path);
  const tool = (name: string, args: object, headers = {}): Tried => ({
    what: `${name} ${JSON.stringify(args)}`,
    ask: async (reader) => http(reader, "POST", `/api/tools/${name}`, args, headers),
  });
  const get = (address: string, headers = {}): Tried => ({
    what: `GET ${address}`,
    ask: async (reader) => http(reader, "GET", address, undefined, headers),
  });
  const post = (address: string, body: object): Tried => ({
    what: `POST ${address} ${JSON.stringify(body)}`,
    ask: async (reader) => http(reader, "POST", address, body),
  });
  const profile = of(["update", "search", "oldUpdate"], one) ?? "update";
  const mcp = (what: string, work: (client: Client) => Promise<unknown>): Tried => ({
    what: `${profile}: ${what}`,
    ask: async ({ mcp: clients }) => {
      const client = clients[profile];
      if (client === undefined) throw new Error(`no client for ${profile}`);
      return JSON.stringify(await work(client).catch(String));
    },
  });
  const model = { "coffre-reader": "model" };
  const uri = `vault:///${path.slice(6)}`;
  const ref = { type: "ref/resource", uri: "vault:///{+path}" } as const;
  const doors: readonly Tried[] = [
    tool("tree", { path, depth: one % 4 }),
    tool("tree", { path: "vault/" }, model),
    tool("read", { paths: [path, place(one)] }),
    tool("search", { queries: [query, word], limit: 1 + (one % 20) }),
    tool("search", { queries: [word], limit: 3 }, model),
    tool("concat?profile=search", { files: [path, place(two)] }),
    tool("append", { path, content: "More.", position: "bottom" }),
    tool("write", { path, content: "# New\n\nThe lamp.\n" }),
    tool("edit", { path, old_content: "The", new_content: "A" }),
    tool("move", { from: path, to: place(one) }),
    tool("move", { from: path, to: `vault/m${one % 99}/x.md` }),
    tool("delete", { path }),
    tool(of(["glob", "grep", "export"], one) ?? "glob", {}),
    get(`/api/tree?path=${at}&depth=2`),
    get("/api/tree"),
    get(`/api/file?path=${at}`),
    get(`/api/raw?path=${at}`),
    get(`/api/raw?path=${at}`, model),
    get(`/api/entry?path=${at}`),
    get(`/api/media?path=${at}`),
    get("/api/files"),
    get("/api/files?limit=5", model),
    get(`/api/note?path=${at}`),
    get(`/api/links?path=${at}`),
    get("/api/links/dead"),
    get("/api/tags"),
    get(`/api/places?q=${encodeURIComponent(query)}`),
    get("/api/properties"),
    get(`/api/properties?key=owner&q=z`),
    get(`/api/filters?typed=${encodeURIComponent("tag:zq")}`),
    get("/api/filters?typed=ow"),
    get(`/api/history?path=${at}`),
    get("/api/history"),
    get("/api/vault"),
    get("/api/status"),
    get("/api/inbox"),
    get("/api/updates"),
    get("/api/tidy"),
    get("/api/private"),
    get("/api/backup"),
    get("/api/forget"),
    post("/api/tidy", {}),
    post("/api/private", { add: [path] }),
    post("/api/rescan", {}),
    post("/api/init", { lang: "en" }),
    post("/api/undo", { id: begun }),
    post("/api/verify", {
      sources: [{ path: path.slice(6), lines: "1-3", sha256: "a".repeat(64) }],
    }),
    post("/api/search", { question: `What of the ${query}?` }),
    post("/api/note", { path, body: "# Mine\n", base: null }),
    post("/api/note/properties", { path, set: { a: "b" }, remove: [] }),
    post("/api/note/task", { path, line: 1, text: "x", done: true }),
    {
      what: `ingest into ${place(two)}`,
      ask: async (reader) => {
        const form = new FormData();
        form.set("file", new File([INGESTED], "people.csv"));
        form.set("to", place(two));
        const headers = { authorization: `Bearer ${reader.token}` };
        const answer = await fetch(`${reader.vault}/api/ingest`, {
          method: "POST",
          body: form,
          headers,
        });
        return `${answer.status} ${await answer.text()}`;
      },
    },
    {
      what: `remember about the ${word}`,
      ask: async (reader) => {
        const given = await http(reader, "POST", "/api/update", {
          content: `The ${word} is red.`,
          said_by_person: true,
        });
        const [, id] = /"id":"([^"]+)"/u.exec(given) ?? [];
        if (id === undefined) return given;
        for (;;) {
          const shown = await http(reader, "GET", `/api/updates/${id}`);
          if (!/"status":"(?:waiting|running)"/u.test(shown)) return shown;
        }
      },
    },
    mcp(`read ${path}`, async (client) =>
      client.callTool({ name: "read", arguments: { paths: [path] } }),
    ),
    mcp(`search ${query}`, async (client) =>
      client.callTool({ name: "search", arguments: { queries: [query] } }),
    ),
    mcp("tree", async (client) => client.callTool({ name: "tree", arguments: {} })),
    mcp("resources", async (client) => client.listResources()),
    mcp(`resource ${uri}`, async (client) => client.readResource({ uri })),
    mcp(`complete ${path}`, async (client) =>
      client.complete({ ref, argument: { name: "path", value: path.slice(6, -3) } }),
    ),
    mcp("complete all", async (client) =>
      client.complete({ ref, argument: { name: "path", value: "" } }),
    ),
    mcp("prompt", async (client) => {
      const { prompts } = await client.listPrompts();
      return client.getPrompt({ name: prompts[0]?.name ?? "", arguments: {} });
    }),
    mcp("tools", async (client) => client.listTools()),
    ...moreDoors({ marked, numbers: [one, two, three], path, other: place(one), word }),
  ];
  return of(doors, door) ?? tool("tree", {});
}

/** How many doors there are. */
export function doorCount(marked: MarkedVault): number {
  const names = new Set<string>();
  for (let door = 0; door < 500; door += 1) names.add(doorFor(marked, door, [1, 2, 3]).what);
  return names.size;
}
