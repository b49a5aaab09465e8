import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import { expect, it, onTestFinished } from "vitest";

import { startStrangeOwner } from "../testing/owner.ts";
import type { CallResult } from "../../tools/call-result.ts";
import { temporaryFolder, textOf } from "../../testing/temporary-vault.ts";
import { appTransport, OwnerGoneError } from "./transport.ts";
import { VaultClient, type ToolCall } from "./vault-client.ts";
import { VaultLink, type OpenedVault, type VaultLinkOptions } from "./vault-link.ts";

const READ: ToolCall = {
  name: "read",
  args: { paths: "a.md" },
  profile: "update",
  client: "c",
  mostTokens: 8000,
  isRepeatable: true,
};
const APPEND: ToolCall = { ...READ, name: "append", isRepeatable: false };
const ANSWER: CallResult = {
  content: [{ type: "text", text: "the answer" }],
  structured: null,
  isError: false,
};

interface Linked {
  readonly call: VaultClient["callTool"];
  readonly close: () => Promise<void>;
}

function linkTo(state: string, options: Partial<VaultLinkOptions> = {}): Linked {
  const open = async (): Promise<null> => null;
  const link = new VaultLink({ state, open, ...options });
  onTestFinished(async () => link.close());
  const client = new VaultClient(link);
  return { call: async (call) => client.callTool(call), close: async () => link.close() };
}

type Step = (request: IncomingMessage, response: ServerResponse) => void;

const breaks: Step = (request) => request.socket.destroy();
const answers: Step = (_, response) => response.end(JSON.stringify(ANSWER));

/** An owner that takes one step for each call, the last one again and again. */
async function ownerThat(...steps: Step[]): Promise<{ state: string; asked: string[] }> {
  const state = temporaryFolder();
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    const step = steps[Math.min(asked.length, steps.length - 1)];
    asked.push(`${request.url}`);
    request.resume().on("end", () => step?.(request, response));
  };
  await startStrangeOwner(state, listener);
  return { state, asked };
}

it("asks the owner", async () => {
  const { state, asked } = await ownerThat(answers);
  expect(await linkTo(state).call(READ)).toEqual(ANSWER);
  expect(asked).toEqual(["/api/tools/read?profile=update&max_tokens=8000"]);
});

it("asks again when the owner ends in the middle of looking", async () => {
  const { state, asked } = await ownerThat(breaks, answers);
  expect(await linkTo(state).call(READ)).toEqual(ANSWER);
  expect(asked).toHaveLength(2);
});

it("asks only once again, lest one call ends every owner", async () => {
  const { state, asked } = await ownerThat(breaks);
  await expect(linkTo(state).call(READ)).rejects.toBeInstanceOf(OwnerGoneError);
  expect(asked).toHaveLength(2);
});

it("does not repeat a change of which nobody knows whether it was made", async () => {
  const { state, asked } = await ownerThat(breaks, answers);
  const link = linkTo(state);
  const result = await link.call(APPEND);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain("Whether append was done is not known: look before");
  expect(asked).toHaveLength(1);
  expect(await link.call(APPEND)).toEqual(ANSWER);
});

it("passes on why the vault cannot be opened, and tries again at the next call", async () => {
  let tries = 0;
  const app = { fetch: (): Response => Response.json(ANSWER) };
  const open = async (): Promise<OpenedVault> => {
    tries += 1;
    if (tries === 1) throw new Error("no room");
    return { transport: appTransport(app), close: async () => {} };
  };
  const link = linkTo(temporaryFolder(), { open });
  await expect(link.call(READ)).rejects.toThrow("no room");
  expect(await link.call(READ)).toEqual(ANSWER);
});

it("lets a call finish before it closes, and takes none after", async () => {
  const reached = Promise.withResolvers<ServerResponse>();
  const { state } = await ownerThat((_, response) => reached.resolve(response));
  const link = linkTo(state);
  const answer = link.call(APPEND);
  const response = await reached.promise;
  const closed = link.close();
  await expect(link.call(READ)).rejects.toThrow("coffre is ending");
  response.end(JSON.stringify(ANSWER));
  expect(await answer).toEqual(ANSWER);
  await closed;
});

it("stops looking for an owner when it closes", async () => {
  const link = linkTo(temporaryFolder());
  const answer = link.call(READ);
  await link.close();
  await expect(answer).rejects.toThrow("coffre is ending");
});

it("says so when an owner does not answer", async () => {
  const link = linkTo(temporaryFolder(), { timeout: 0 });
  await expect(link.call(READ)).rejects.toMatchObject({ code: "busy" });
});
