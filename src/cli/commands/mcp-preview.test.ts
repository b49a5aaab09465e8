import { readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { connectOwner } from "../../server/client/socket-transport.ts";
import { VaultClient } from "../../server/client/vault-client.ts";
import { temporaryPlace } from "../testing/cli.ts";
import { connectMcp } from "../testing/mcp-client.ts";

const FILES = { "a.md": "The pump\n", "b.md": "The oars\n", "c.md": "The sail\n" };
const ID = /as (\w+)\.$/mu;

it("coffre mcp --preview tries what a client changes, and a yes makes all of it at once", async () => {
  const place = temporaryPlace(FILES);
  const onDisk = (name: string): string => readFileSync(path.join(place.root, name), "utf8");
  const other = await connectMcp(place);
  const proposing = await connectMcp(place, { preview: true, name: "Café" });
  const { call, text } = proposing;
  const said = await text("append", { path: "a.md", content: "is new", position: "bottom" });
  const id = ID.exec(said)?.[1] ?? "";
  expect(said).toContain("Nothing is changed yet");
  await text("append", { path: "a.md", content: "and red", position: "bottom" });
  await text("move", { from: "b.md", to: "boat/oars.md" });
  await text("write", { path: "boat/new.md", content: "A mast\n" });
  await text("delete", { path: "c.md" });
  expect((await call("append", { path: "../x", content: "x", position: "top" })).isError).toBe(
    true,
  );

  // Its own changes, and nobody else's vault.
  expect(await text("read", { paths: ["a.md", "boat/oars.md"] })).toMatch(
    /is new[^]*and red[^]*oars/u,
  );
  expect(await text("tree", {})).not.toContain("c.md");
  expect(await other.text("read", { paths: "a.md" })).not.toContain("new");
  expect([onDisk("a.md"), onDisk("b.md"), onDisk("c.md")]).toEqual(Object.values(FILES));

  // One diff for each file.
  const owner = await connectOwner(place.state);
  const update = owner === null ? null : await new VaultClient(owner).update(id);
  expect(update).toMatchObject({ status: "preview", from: "Café" });
  expect(update?.report?.touched).toEqual([
    { path: "vault/a.md", change: "changed" },
    { path: "vault/boat/new.md", change: "created" },
    { path: "vault/boat/oars.md", change: "moved from vault/b.md" },
    { path: "vault/c.md", change: "deleted" },
  ]);
  expect(update?.changes?.map(({ kind }) => kind)).toEqual(["modify", "create", "move", "remove"]);

  expect((await place.run(["remember", "--accept", id])).code).toBe(0);
  expect(onDisk("a.md")).toContain("is new\n\nand red");
  expect(onDisk("boat/oars.md")).toBe("The oars\n");
  expect(await place.json(["log", "--limit", "1"])).toMatchObject([{ actor: "Café", call: "mcp" }]);

  // What comes next is another preview, which a no leaves as it is.
  const next = ID.exec(await text("append", { path: "a.md", content: "no", position: "top" }))?.[1];
  expect(next).not.toBe(id);
  const before = onDisk("a.md");
  expect((await place.run(["remember", "--reject", next ?? ""])).code).toBe(0);
  expect(onDisk("a.md")).toBe(before);
  expect(await text("read", { paths: "a.md" })).not.toContain("no\n");
});

it("coffre mcp --preview keeps what was proposed when the client and the owner are gone", async () => {
  const place = temporaryPlace(FILES);
  const { client, ended, text } = await connectMcp(place, { preview: true });
  const said = await text("append", { path: "a.md", content: "is new", position: "bottom" });
  await client.close();
  await ended;
  const id = ID.exec(said)?.[1] ?? "";
  expect((await place.run(["remember", "--accept", id])).code).toBe(0);
  expect(readFileSync(path.join(place.root, "a.md"), "utf8")).toContain("is new");
});

it("coffre mcp --preview is refused where nothing is changed", async () => {
  const { run } = temporaryPlace(FILES);
  const ran = await run(["mcp", "--preview", "--profile", "search"]);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain("search only looks");
});
