import { describe, expect, it } from "vitest";

import { agentHome, type AgentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { AcceptedAnswer } from "../api/agent-contract.ts";
import { createApp } from "../api/app.ts";
import { Access } from "../auth/access.ts";
import { cookieName } from "../auth/guards.ts";
import { createTcpApp } from "./page-server.ts";

const TOKEN = "correct-horse-battery-staple";
const ADDRESS = { host: "127.0.0.1", port: 4321 };

interface Door {
  readonly home: AgentHome;
  readonly access: Access;
  readonly post: (
    headers: Readonly<Record<string, string>>,
    body: object,
  ) => Promise<{ readonly status: number; readonly standing: object | null }>;
}

async function door(): Promise<Door> {
  const home = await agentHome(houseFiles, () => ({ text: "Nothing to do." }));
  const now = (): Date => new Date();
  const onBug = (error: unknown): void => void home.bugs.push(error);
  const { service, memory } = home;
  const app = createApp({ service, memory, version: "1.2.3", now, onBug });
  const access = new Access(TOKEN, now);
  const tcp = createTcpApp(app, access, ADDRESS, "/nowhere");
  return {
    home,
    access,
    post: async (headers, body) => {
      const response = await tcp.request("http://127.0.0.1:4321/api/update", {
        method: "POST",
        headers: { host: "127.0.0.1:4321", ...headers },
        body: JSON.stringify(body),
      });
      const accepted = AcceptedAnswer.safeParse(await response.json());
      if (!accepted.success) return { status: response.status, standing: null };
      const { isUntrusted, isRelayed } = (await memory.updates.get(accepted.data.id)).input;
      return { status: response.status, standing: { isUntrusted, isRelayed } };
    },
  };
}

describe("whose word an update over TCP is", () => {
  const token = { authorization: `Bearer ${TOKEN}` };
  const content = "Hale comes on Friday.";

  it("is material with the token, whatever the request calls itself", async () => {
    const { post } = await door();
    const material = { status: 202, standing: { isUntrusted: true, isRelayed: false } };
    expect(await post(token, { content })).toEqual(material);
    expect(await post({ ...token, "coffre-voice": "person" }, { content })).toEqual(material);
  });

  it("is relayed when the client says that the person said it, unless it is untrusted too", async () => {
    const { post } = await door();
    const said = { content, said_by_person: true };
    expect((await post(token, said)).standing).toEqual({ isUntrusted: false, isRelayed: true });
    expect((await post(token, { ...said, untrusted: true })).standing).toMatchObject({
      isUntrusted: true,
    });
  });

  it("is the person's with the cookie of the page", async () => {
    const { post, access } = await door();
    const cookie = `${cookieName(ADDRESS)}=${access.cookie}`;
    const own = { isUntrusted: false, isRelayed: false };
    expect((await post({ cookie }, { content })).standing).toEqual(own);
    expect((await post({ cookie }, { content, untrusted: true })).standing).toMatchObject({
      isUntrusted: true,
    });
  });

  it("answers no inbox item for a client that does not say it is the person's answer", async () => {
    const { post } = await door();
    expect(await post(token, { content, inbox_ref: "x" })).toEqual({ status: 403, standing: null });
    // It gets as far as looking for the item.
    const said = { content, inbox_ref: "x", said_by_person: true };
    expect(await post(token, said)).toEqual({ status: 404, standing: null });
  });
});
