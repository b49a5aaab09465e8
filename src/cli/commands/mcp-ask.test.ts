import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
} from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";

import { reached } from "../../../test/mcp/reached.ts";
import { serve, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";
import { connectMcp, textOfResult } from "../testing/mcp-client.ts";

const FILES = {
  "projects/boat/state.md": "# Boat\n\nThe pump in the bilge is broken.\n",
  "projects/boat/changelog.md": "# 2026-03-01\n\n## Launched\nWithout trouble.\n",
};

type Text = (name: string, args?: Record<string, unknown>) => Promise<string>;
type Answer = { readonly action: "accept" | "decline"; readonly content?: { answer: string } };

const VERSIONS: readonly (readonly [string, ClientOptions])[] = [
  ["2025-06-18", { supportedProtocolVersions: ["2025-06-18"] }],
  ["2025-11-25", { supportedProtocolVersions: ["2025-11-25"] }],
  ["2026-07-28", { versionNegotiation: { mode: { pin: "2026-07-28" } } }],
];

/** A client whose person answers so; null for one that cannot ask. */
async function connect(
  place: TemporaryPlace,
  transport: "stdio" | "HTTP",
  speaking: ClientOptions,
  answer: Answer | null,
): Promise<{ readonly text: Text; readonly asked: string[] }> {
  const asked: string[] = [];
  const capabilities = answer === null ? {} : { elicitation: { form: {} } };
  const options = { ...speaking, capabilities };
  const listen = (client: Client): void => {
    if (answer === null) return;
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer.content === undefined
        ? { action: answer.action }
        : { action: answer.action, content: { ...answer.content } };
    });
  };
  let client: Client;
  if (transport === "stdio") {
    ({ client } = await connectMcp(place, { profile: "memory", ...options }));
    listen(client);
  } else {
    await serve(place);
    const { url, headers } = reached(place);
    client = new Client({ name: "tester", version: "1" }, options);
    onTestFinished(async () => client.close());
    listen(client);
    const requestInit = { headers };
    await client.connect(new StreamableHTTPClientTransport(url("/mcp/memory"), { requestInit }));
  }
  const text: Text = async (name, args = {}) =>
    textOfResult(await client.callTool({ name, arguments: args }));
  return { text, asked };
}

const refIn = (text: string): string => /inbox_ref (\S+)/u.exec(text)?.[1] ?? "";
const note = { content: "The new pump of the boat has come" };

describe.each(["stdio", "HTTP"] as const)("a question of the inbox, over %s", (transport) => {
  it.each(VERSIONS)("is asked right there, in %s", async (_, options) => {
    const place = temporaryPlace(FILES);
    const yes: Answer = { action: "accept", content: { answer: "boat" } };
    const { text, asked } = await connect(place, transport, options, yes);
    const ref = refIn(await text("remember", note));
    const told = await text("inbox", { ref, ask: true });
    expect(asked).toEqual([expect.stringContaining("In which project does it belong: boat")]);
    expect(told).toContain("The person answered: boat");
    expect(told).toContain("vault/projects/boat/");
    expect(await text("inbox")).toBe("Nothing waits.");
  });

  it("waits when the person declines", async () => {
    const place = temporaryPlace(FILES);
    const shy = await connect(place, transport, {}, { action: "decline" });
    const ref = refIn(await shy.text("remember", note));
    expect(await shy.text("inbox", { ref, ask: true })).toContain(
      `It waits in the inbox: inbox_ref ${ref}`,
    );
    expect(await shy.text("inbox")).toContain(ref);
  });
});

it("is shown instead, where the client cannot ask", async () => {
  const place = temporaryPlace(FILES);
  const { text } = await connect(place, "stdio", {}, null);
  const ref = refIn(await text("remember", note));
  expect(await text("inbox", { ref, ask: true })).toContain("In which project does it belong");
});
