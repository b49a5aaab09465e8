import { createServer } from "node:http";
import { once } from "node:events";
import { z } from "zod";

import { describe, expect, it, onTestFinished } from "vitest";

import { startPage, TOKEN } from "../../server/testing/page.ts";
import { coffre } from "../testing/cli.ts";

const environment = { COFFRE_TOKEN: TOKEN };

/** The address of a server that is no vault, and what it was sent as a token. */
async function another(status: number, headers: Readonly<Record<string, string>>) {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    response.writeHead(status, headers).end("<h1>Hello</h1>");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { address: `http://127.0.0.1:${port}`, tokens };
}

describe("a vault at the address of a service", () => {
  it("is read, searched, changed and undone with the token", async () => {
    const { host, vault } = await startPage({ files: { "a.md": "# A\n\nThe pump is old.\n" } });
    const at = ["--vault", `http://${host}/`];
    const run = async (...argv: string[]) => coffre([...argv, ...at], { environment });
    expect((await run("tree")).stdout).toContain("a.md");
    expect((await run("read", "a.md:3-3")).stdout).toContain("The pump is old.");
    expect((await run("search", "pump")).stdout).toContain("vault/a.md");
    const edit = await run("edit", "a.md", "--old", "is old", "--new", "is new");
    expect(edit).toMatchObject({ code: 0, stderr: "" });
    expect((await run("log")).stdout).toMatch(/cli +edit +/u);
    expect((await run("undo", "last")).stdout).toContain("Undid");
    expect((await vault.openText("a.md")).range(3, 3).lines).toEqual(["The pump is old."]);
  });

  it("is refused without a token, and with a wrong one", async () => {
    const { host } = await startPage();
    const line = ["read", "a.md", "--vault", `http://${host}`];
    const without = await coffre(line);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("needs a token")]);
    const wrong = await coffre(line, { environment: { COFFRE_TOKEN: "wrong" } });
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toBe("");
  });

  it("is refused over http on another machine, before anything is sent, and when it is no address", async () => {
    for (const [address, why] of [
      ["http://notes.example.com/v/house", "others could read the token"],
      ["http://127.0.0.1.example.com/", "others could read the token"],
      ["https://notes.example.com/?a", "takes a folder, or the address"],
      ["https://somebody@notes.example.com/", "takes a folder, or the address"],
      ["https://", "takes a folder, or the address"],
    ] as const) {
      const { code, stderr } = await coffre(["tree", "--vault", address], { environment });
      expect([code, stderr]).toEqual([2, expect.stringContaining(why)]);
    }
  });

  it("says when nobody answers there, or somebody else", async () => {
    const away = await coffre(["tree", "--vault", "http://127.0.0.1:1"], { environment });
    expect([away.code, away.stderr]).toEqual([
      1,
      expect.stringContaining("http://127.0.0.1:1 does not answer ("),
    ]);
    const page = await another(404, { "content-type": "text/html" });
    const other = await coffre(["tree", "--vault", page.address], { environment });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("answered 404")]);
  });

  it("is not followed elsewhere with the token", async () => {
    const target = await another(200, { "content-type": "application/json" });
    const moved = await another(307, { location: target.address });
    const { code, stderr } = await coffre(["tree", "--vault", moved.address], { environment });
    expect([code, stderr]).toEqual([1, expect.stringContaining("answered 307")]);
    expect(target.tokens).toEqual([]);
  });

  it.each(["doctor", "status", "tidy", "private", "serve"])(
    "is nothing that coffre %s works on",
    async (command) => {
      const line = [command, "--vault", "https://notes.example.com/v/house"];
      const { code, stdout, stderr } = await coffre(line, { environment });
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain("works on a folder only");
    },
  );
});
