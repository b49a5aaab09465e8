import { execFileSync } from "node:child_process";
import path from "node:path";

import { expect, it } from "vitest";

import { coffre } from "../../src/cli/testing/cli.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { postgresProgram } from "./postgres-server.ts";
import { emptyDatabase } from "./team-database.ts";
import { openReplica, type TeamHome } from "./team-home.ts";

async function ask({ fetch }: TeamHome, where: string, body?: unknown): Promise<string> {
  const headers = { "content-type": "application/json", "coffre-client": "test" };
  const post = { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(new Request(`http://x${where}`, body === undefined ? {} : post));
  const text = await answer.text();
  expect([answer.status, text]).toEqual([200, expect.not.stringContaining('"isError":true')]);
  // Of one service.
  return text.replace(/"version":"all-\d+"/u, "");
}

const LOOKS = ["/api/history?limit=100", "/api/files", "/api/raw?path=vault/roof.md"];

it("a database that was dumped and restored is read, searched, checked and undone as before", async () => {
  const url = await emptyDatabase();
  const home = await openReplica(url);
  const note = "vault/roof.md";
  await ask(home, "/api/tools/write", { path: note, content: "# Roof\n\nTiles are red.\n" });
  await ask(home, "/api/tools/read", { paths: [note] });
  await ask(home, "/api/tools/edit", {
    path: note,
    old_content: "Tiles are red.",
    new_content: "Tiles are slate.",
  });
  await ask(home, "/api/tools/write", { path: "vault/été/b.md", content: "La cave.\n" });
  await ask(home, "/api/tools/delete", { path: "vault/été/b.md" });
  const before = await Promise.all(LOOKS.map(async (look) => ask(home, look)));
  // The commands of docs/team.md.
  const dump = path.join(temporaryFolder(), "coffre.dump");
  const run = (name: string, ...args: string[]): void =>
    void execFileSync(postgresProgram(name), args);
  run("pg_dump", "--format=custom", `--file=${dump}`, url);
  const restored = await emptyDatabase();
  run("pg_restore", `--dbname=${restored}`, "--no-owner", "--exit-on-error", dump);
  // What is done after the dump is not in it.
  await ask(home, "/api/tools/write", { path: "vault/late.md", content: "late\n" });
  const again = await openReplica(restored);
  expect(await Promise.all(LOOKS.map(async (look) => ask(again, look)))).toEqual(before);
  expect(await ask(again, "/api/tools/search", { queries: ["slate"] })).toContain("vault/roof.md");
  const entries: { readonly id: string; readonly call: string }[] = JSON.parse(before[0] ?? "");
  for (const call of ["delete", "edit"]) {
    const id = entries.find((entry) => entry.call === call)?.id;
    await ask(again, "/api/undo", { id });
  }
  expect(await ask(again, "/api/raw?path=vault/roof.md")).toContain("Tiles are red.");
  expect(await ask(again, "/api/raw?path=vault/%C3%A9t%C3%A9/b.md")).toContain("La cave.");
  const checked = await coffre(["doctor", "--database", restored]);
  expect([checked.code, checked.stderr]).toEqual([0, ""]);
  expect(checked.stdout).not.toContain("PROBLEM");
  expect([...home.bugs, ...again.bugs]).toEqual([]);
});
