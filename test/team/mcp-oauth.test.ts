import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";

import { OAuthClient } from "./oauth-client.ts";
import { oauthHome } from "./oauth-home.ts";

/** Connects as a program does that was given nothing but an address, and a person who says yes. */
async function connect(address: string, authProvider: OAuthClient): Promise<Client> {
  const open = (): StreamableHTTPClientTransport =>
    new StreamableHTTPClientTransport(new URL(address), { authProvider });
  const first = new Client({ name: "test", version: "1" });
  const transport = open();
  await expect(first.connect(transport)).rejects.toThrow(UnauthorizedError);
  await transport.finishAuth(await authProvider.sayYes());
  const client = new Client({ name: "test", version: "1" });
  onTestFinished(async () => client.close());
  await client.connect(open());
  return client;
}

async function write(client: Client, path: string): Promise<string> {
  return JSON.stringify(
    await client.callTool({ name: "write", arguments: { path, content: "# Roof\n" } }),
  );
}

it("tells of each address whom to log in with, in the form of RFC 9728", async () => {
  const { at, oidc } = await oauthHome();
  for (const path of ["", "/v/house", "/v/house/mcp/update", "/v/nowhere/mcp/memory"]) {
    const answer = await fetch(`${at}/.well-known/oauth-protected-resource${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await answer.json()).toEqual({
      resource: `${at}${path}`,
      authorization_servers: [oidc.issuer],
      scopes_supported: ["vault:read", "vault:write"],
      bearer_methods_supported: ["header"],
      resource_name: "coffre",
    });
  }
  for (const path of ["/v/house/mcp/other", "/v/house/api", "/v/House", "/x"])
    expect((await fetch(`${at}/.well-known/oauth-protected-resource${path}`)).status).toBe(404);
  const refused = await fetch(`${at}/v/house/mcp/update`, { method: "POST" });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    401,
    `Bearer resource_metadata="${at}/.well-known/oauth-protected-resource/v/house/mcp/update", scope="vault:read vault:write"`,
  ]);
});

it("the official client finds the provider by itself, registers, logs its person in, and works", async () => {
  const { at, oidc } = await oauthHome();
  const program = new OAuthClient();
  const address = `${at}/v/house/mcp/update`;
  const client = await connect(address, program);
  expect(await write(client, "vault/roof.md")).toContain("vault/roof.md");
  expect(oidc.requests).toEqual([
    { scope: expect.stringContaining("vault:read vault:write"), resource: address },
  ]);
});

it("a token for one MCP server is for no other address; one for the vault is for all of its servers", async () => {
  const { at, oidc } = await oauthHome();
  const scope = "vault:read vault:write";
  const statusOf = async (aud: string, path: string): Promise<number> => {
    const token = await oidc.sign({ sub: "ana", aud, scope });
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(at + path, { headers })).status;
  };
  const server = `${at}/v/house/mcp/update`;
  // Who is let in asks for a stream with GET, which needs a session first.
  expect(await statusOf(server, "/v/house/mcp/update")).not.toBe(401);
  expect(await statusOf(`${at}/v/house`, "/v/house/mcp/update")).not.toBe(401);
  expect(await statusOf(`${at}/v/house`, "/v/house/api/me")).toBe(200);
  for (const [aud, path] of [
    [server, "/v/house/api/me"],
    [server, "/v/house/mcp/search"],
    [server, "/v/other/mcp/update"],
    [server, "/api/me"],
    [`${at}/v/other`, "/v/house/mcp/update"],
    [at, "/v/house/mcp/update"],
    [`${server}/`, "/v/house/mcp/update"],
  ] as const)
    expect([aud, path, await statusOf(aud, path)]).toEqual([aud, path, 401]);
});

it("a program that may only read is told which scope it needs, asks its person for it, and goes on", async () => {
  const { at, oidc } = await oauthHome();
  oidc.allowed = ["vault:read"];
  const program = new OAuthClient();
  const client = await connect(`${at}/v/house/mcp/update`, program);
  const tree = await client.callTool({ name: "tree", arguments: {} });
  expect(tree.isError).not.toBe(true);
  const token = program.tokens()?.access_token ?? "";
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "write" } };
  const refused = await fetch(`${at}/v/house/mcp/update`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
    403,
    `Bearer error="insufficient_scope", resource_metadata="${at}/.well-known/oauth-protected-resource/v/house/mcp/update", scope="vault:read vault:write"`,
  ]);
  oidc.allowed = ["vault:read", "vault:write"];
  await expect(write(client, "vault/roof.md")).rejects.toThrow(UnauthorizedError);
  const transport = new StreamableHTTPClientTransport(new URL(`${at}/v/house/mcp/update`), {
    authProvider: program,
  });
  await transport.finishAuth(await program.sayYes());
  expect(await write(client, "vault/roof.md")).toContain("vault/roof.md");
});

it("somebody who is no member of a vault gets nothing of it, with a valid token too", async () => {
  const { at } = await oauthHome();
  await expect(connect(`${at}/v/other/mcp/update`, new OAuthClient())).rejects.toThrow(
    /404|no vault/u,
  );
});
