import { expect, it } from "vitest";

/** What serves MCP clients of before 2026, each with a session, on a vault with a note `a.md` that says "The pump". */
export interface SessionsPlace {
  /** Asks the server of a profile. */
  readonly fetch: (profile: "update" | "search", init: RequestInit) => Promise<Response>;
}

const HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const SESSION = "mcp-session-id";

/** One client, which speaks raw HTTP. */
class Client {
  readonly #place: SessionsPlace;
  readonly #profile: "update" | "search";
  id: string | null = null;

  constructor(place: SessionsPlace, profile: "update" | "search" = "update") {
    this.#place = place;
    this.#profile = profile;
  }

  async send(
    method: string,
    params: object,
    how: { readonly id?: number; readonly profile?: "update" | "search" } = { id: 1 },
  ): Promise<{ readonly status: number; readonly text: string }> {
    const message = { jsonrpc: "2.0", ...how, profile: undefined, method, params };
    const session = this.id === null ? {} : { [SESSION]: this.id };
    const answer = await this.#place.fetch(how.profile ?? this.#profile, {
      method: "POST",
      headers: { ...HEADERS, ...session },
      body: JSON.stringify(message),
    });
    this.id ??= answer.headers.get(SESSION);
    return { status: answer.status, text: await answer.text() };
  }

  async begin(): Promise<this> {
    const clientInfo = { name: "Café", version: "1" };
    const begun = await this.send("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo,
    });
    const noted = await this.send("notifications/initialized", {}, {});
    if (begun.status === 200 && this.id !== null && noted.status === 202) return this;
    throw new Error(`no session was begun: ${begun.status} ${begun.text}`);
  }

  async call(name: string, args: object): Promise<string> {
    return (await this.send("tools/call", { name, arguments: args })).text;
  }

  async end(): Promise<number> {
    const init = { method: "DELETE", headers: { ...HEADERS, [SESSION]: this.id ?? "" } };
    return (await this.#place.fetch(this.#profile, init)).status;
  }
}

const EDIT = { path: "vault/a.md", old_content: "The pump", new_content: "Two pumps" };

/** What any server of MCP sessions must do, wherever it keeps them. */
export function describeSessions(open: () => Promise<SessionsPlace>): void {
  it("gives every client a session of its own: what one has read does not count for another", async () => {
    const place = await open();
    const [one, other] = [await new Client(place).begin(), await new Client(place).begin()];
    expect(one.id).not.toBe(other.id);
    expect(await one.call("read", { paths: "vault/a.md" })).toContain("The pump");
    expect(await other.call("edit", EDIT)).toContain("was not read in this session");
    expect(await one.call("edit", EDIT)).toContain("Edited vault/a.md");
    expect(await other.call("read", { paths: "vault/a.md" })).toContain("Two pumps");
  });

  it("refuses a session that nobody began, that has ended, or that is of another profile", async () => {
    const place = await open();
    const unknown = new Client(place);
    unknown.id = "00000000-0000-4000-8000-000000000000";
    expect((await unknown.send("tools/list", {})).status).toBe(404);
    const client = await new Client(place).begin();
    expect((await client.send("tools/list", {}, { id: 2, profile: "search" })).status).toBe(404);
    expect((await client.send("tools/list", {})).status).toBe(200);
    expect(await client.end()).toBe(200);
    expect((await client.send("tools/list", {})).status).toBe(404);
  });

  it("answers requests of one session that come at once", async () => {
    const client = await new Client(await open()).begin();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, at) =>
        client.send(
          "tools/call",
          { name: "read", arguments: { paths: "vault/a.md" } },
          { id: at + 2 },
        ),
      ),
    );
    for (const [at, { status, text }] of answers.entries()) {
      expect(status).toBe(200);
      expect(text).toContain("The pump");
      expect(text).toContain(`"id":${at + 2}`);
    }
  });

  it("asks for a session in everything but what begins one", async () => {
    const place = await open();
    const { status } = await new Client(place).send("tools/list", {});
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
}
