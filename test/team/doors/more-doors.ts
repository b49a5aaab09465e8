import type { Client } from "@modelcontextprotocol/client";

import type { MarkedVault } from "./marked-vault.ts";
import { http, type Reader, type Tried } from "./reader.ts";
import { TOKEN } from "../replica.ts";

/** As long as an id is, and of no change and no update. */
const NO_ID = "m00000000000";
/** A picture of one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const STREAM = { accept: "text/event-stream" };

/** What a door is tried with. */
interface Given {
  readonly marked: MarkedVault;
  readonly numbers: readonly [one: number, two: number, three: number];
  /** `vault/…`, of something that may be there or not. */
  readonly path: string;
  readonly other: string;
  readonly word: string;
}

/** Doors that need an id of what is there, several credentials, or somebody else. */
export function moreDoors({
  marked,
  numbers: [one, two, three],
  path,
  other,
  word,
}: Given): Tried[] {
  const at = encodeURIComponent(path);
  const limited = (what: string, method: string, address: string, body?: object): Tried => ({
    what: `${what}, with a token ${two % 2 === 0 ? "that may only read" : "for one folder"}`,
    ask: async (reader) => {
      const token = reader.lesser[two % 2] ?? "";
      return http({ vault: reader.vault, token }, method, address, body);
    },
  });
  const get = (address: string, headers = {}): Tried => ({
    what: `GET ${address} ${JSON.stringify(headers)}`,
    ask: async (reader) => http(reader, "GET", address, undefined, headers),
  });
  const post = (address: string, body: object, headers = {}): Tried => ({
    what: `POST ${address} ${JSON.stringify(body)} ${JSON.stringify(headers)}`,
    ask: async (reader) => http(reader, "POST", address, body, headers),
  });
  /** With an id of what the reader is shown, or of nothing. */
  const ofOwn = (
    what: string,
    list: string,
    ask: (reader: Reader, id: string) => Promise<string>,
  ): Tried => ({
    what: `${what}, number ${one % 12}`,
    ask: async (reader) => ask(reader, (await idsIn(reader, list))[one % 12] ?? NO_ID),
  });
  /** With an id that the reader is not shown: the same answer as for one that is nothing's. */
  const ofHidden = (what: string, ask: (reader: Reader, id: string) => Promise<string>): Tried => ({
    what: `${what} of what is hidden, number ${one % 40}`,
    ask: async (reader) => {
      const shown = new Set(await idsIn(reader, "/api/history?limit=1000"));
      const all = await idsIn({ ...reader, token: TOKEN }, "/api/history?limit=1000");
      const hidden = all.filter((id) => !shown.has(id));
      return ask(reader, hidden[one % Math.max(1, hidden.length)] ?? NO_ID);
    },
  });
  const view = async (reader: Reader, id: string, headers = {}): Promise<string> =>
    http(reader, "GET", `/api/history/${id}`, undefined, headers);
  const undo = async (reader: Reader, id: string): Promise<string> =>
    http(reader, "POST", "/api/undo", { id });
  const undoOwn = async (reader: Reader, id: string): Promise<string> =>
    http(reader, "POST", "/api/undo/own", { id });
  const change = (way: string) => async (reader: Reader, id: string) => {
    const changed = await http(reader, "POST", `/api/updates/${id}/${way}`, {});
    // What runs again has ended before something else is tried.
    return changed + (await followed(reader, id));
  };
  const memory = (what: string, work: (client: Client) => Promise<unknown>): Tried => ({
    what: `memory: ${what}`,
    ask: async ({ mcp }) => {
      const client = mcp["memory"];
      if (client === undefined) throw new Error("no client for the memory");
      return JSON.stringify(await work(client).catch(String));
    },
  });
  const ofService = (address: string): Tried => ({
    what: `GET ${address} of the service`,
    ask: async ({ vault, token }) =>
      http({ vault: new URL(vault).origin, token }, "GET", address, undefined, {
        accept: "text/html",
      }),
  });
  const item = [...marked.hidden.keys(), ...marked.seen.keys()]
    .filter((each) => each.startsWith("inbox/"))
    .map((each) => (each.split("/")[1] ?? "").replace(/\.md$/u, ""));
  const ref = item[three % Math.max(1, item.length)] ?? "kiln-1";
  const changes = [{ do: "append", path, content: "Filed.", position: "bottom" }];
  const person = { person: "nobody", folder: path, role: "viewer" };
  return [
    ofOwn("a change", "/api/history", async (reader, id) => view(reader, id)),
    ofOwn("a change, for a model", "/api/history", async (reader, id) =>
      view(reader, id, { "coffre-reader": "model" }),
    ),
    ofHidden("a change", async (reader, id) => view(reader, id)),
    ofOwn("undo", "/api/history", undo),
    ofHidden("undo", undo),
    ofOwn("undo of one's own", "/api/history", undoOwn),
    ofHidden("undo of one's own", undoOwn),
    ofOwn("an update", "/api/updates", followed),
    ofOwn("cancel", "/api/updates", change("cancel")),
    ofOwn("retry", "/api/updates", change("retry")),
    ...["", "/cancel", "/retry"].map((way): Tried => ({
      what: `another's update${way}`,
      ask: async (reader) =>
        http(reader, way === "" ? "GET" : "POST", `/api/updates/${reader.othersUpdate}${way}`),
    })),
    {
      what: "another's update as it goes on",
      ask: async (reader) => followed(reader, reader.othersUpdate),
    },
    {
      what: `recall ${word} as it goes on`,
      ask: async (reader) => {
        const question = `What of the ${word}?`;
        return inNoOrder(await http(reader, "POST", "/api/search", { question }, STREAM));
      },
    },
    get(`/api/inbox/${ref}`),
    get(`/api/inbox/${ref}/filing`),
    post(`/api/inbox/${ref}/file`, { changes }),
    {
      what: `attach to ${path}`,
      ask: async (reader) => {
        const answer = await fetch(
          `${reader.vault}/api/note/attachment?note=${at}&name=pixel.png`,
          {
            method: "POST",
            body: PNG,
            headers: { authorization: `Bearer ${reader.token}`, "content-type": "image/png" },
          },
        );
        return `${answer.status} ${await answer.text()}`;
      },
    },
    ...["/", "/api/me", "/api/vaults", "/api/tokens", "/api/files"].map(ofService),
    get("/api/me"),
    get("/api/presence"),
    post("/api/presence", { path, isEditing: one % 2 === 0, window: `w${one % 3}` }),
    get("/api/team"),
    get("/api/team/audit"),
    get("/api/team/audit?format=csv"),
    post("/api/team/grants", person),
    post("/api/team/invitations", { role: "viewer" }),
    get("/", { accept: "text/html" }),
    get(`/note/${at}`, { accept: "text/html" }),
    limited("files", "GET", "/api/files"),
    limited("history", "GET", "/api/history"),
    limited(`tree of ${path}`, "GET", `/api/tree?path=${at}&depth=3`),
    limited(`read ${path}`, "GET", `/api/raw?path=${at}`),
    limited("me", "GET", "/api/me"),
    limited(`search ${word}`, "POST", "/api/tools/search", { queries: [word], limit: 10 }),
    limited(`move ${path} ${other}`, "POST", "/api/tools/move", { from: path, to: other }),
    memory("tools", async (client) => client.listTools()),
    memory(`recall ${word}`, async (client) =>
      client.callTool({ name: "recall", arguments: { question: `What of the ${word}?` } }),
    ),
    memory("inbox", async (client) => client.callTool({ name: "inbox", arguments: {} })),
    memory(`inbox ${ref}`, async (client) =>
      client.callTool({ name: "inbox", arguments: { ref } }),
    ),
    memory("resources", async (client) => client.listResources()),
  ];
}

/** An update until it has ended. */
async function followed(reader: Reader, id: string): Promise<string> {
  return inNoOrder(await http(reader, "GET", `/api/updates/${id}`, undefined, STREAM));
}

/** Tools that only read are called at the same time, and end in any order. */
function inNoOrder(stream: string): string {
  return stream.split("\n\n").toSorted().join("\n\n");
}

/** Of what a list shows, in its order. */
async function idsIn(reader: Pick<Reader, "vault" | "token">, list: string): Promise<string[]> {
  const shown = await http(reader, "GET", list);
  return [...shown.matchAll(/\{"id":"([^"]+)"/gu)].map(([, id = ""]) => id);
}
