import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

import { expect, it } from "vitest";

import { mainFile } from "../../src/cli/testing/cli.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { Browser } from "./browser.ts";
import { TOKEN } from "./replica.ts";
import { servedTeam } from "./served-team.ts";

/** The commands of "From an empty server to three people in ten minutes", block by block, as they are printed. */
function printed(): string[] {
  const page = readFileSync(new URL("../../docs/team.md", import.meta.url), "utf8");
  const [, part = ""] = page.split("\n## From an empty server to three people in ten minutes\n");
  const [steps = ""] = part.split("\n## ");
  return [...steps.matchAll(/ {3}```sh\n(.*?) {3}```/gsu)].map(([, block = ""]) => block);
}

it("an empty server has three people by the commands of the documentation, as they are printed", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const [owner = "", invite = "", roles = "", token = "", ...others] = printed();
  expect(others).toEqual([]);
  const cwd = temporaryFolder();
  const exports = owner.split("\n").find((line) => line.includes("export ")) ?? "";
  /** As a reader types it, with what is theirs: addresses, ids and codes. */
  const run = async (
    block: string,
    own: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    let typed = `${exports}\n${block}`;
    const theirs = {
      "postgres://coffre:PASSWORD@db.example.com/coffre": `'${served.url}'`,
      "https://notes.example.com": at,
      ...own,
    };
    for (const [example, value] of Object.entries(theirs)) {
      expect(typed).toContain(example);
      typed = typed.replaceAll(example, value);
    }
    const program = `set -euo pipefail\ncoffre() { '${process.execPath}' '${mainFile}' "$@"; }\n${typed}`;
    const { stdout } = await promisify(execFile)("bash", ["-c", program], {
      cwd,
      env: { PATH: process.env["PATH"], HOME: cwd, COFFRE_TOKEN: TOKEN },
    });
    return stdout;
  };
  const linkIn = (text: string): string =>
    /https?:\/\/[^\s"]+\/invite\?code=[\w-]+/u.exec(text)?.[0] ?? text;
  const enter = async (link: string, fields: Record<string, string>): Promise<Browser> => {
    const browser = new Browser(at);
    const { text } = await browser.open(link);
    expect((await browser.sendForm(text, fields)).status).toBe(303);
    return browser;
  };

  const ada = await enter(linkIn(await run(owner)), {});
  expect((await ada.json("/v/house/api/me")).body).toMatchObject({ isOwner: true });
  const [forBob = "", forCleo = ""] = (await run(invite)).split(/(?=The link lets)/u);
  const bob = await enter(linkIn(forBob), { name: "Bob" });
  const bobs = (await bob.json("/v/house/api/me")).body;
  expect(bobs).toMatchObject({ role: "editor", person: { name: "Bob" } });
  const [, bobsId = ""] = /"id":"([^"]+)"/u.exec(JSON.stringify(bobs)) ?? [];
  const ruled = await run(roles, { '"ID"': `"${bobsId}"` });
  expect(ruled).toContain('{"folder":"vault/accounts/","role":"none"}');

  const note = { path: "vault/accounts/2026.md", content: "# 2026\n" };
  const send = async (by: string, path: string, body?: object): Promise<string> =>
    (
      await fetch(`${at}/v/house${path}`, {
        headers: { authorization: `Bearer ${by}` },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      })
    ).text();
  expect(await send(TOKEN, "/api/tools/write", note)).toContain("Created");
  expect((await bob.open("/v/house/api/files")).text).not.toContain("accounts");
  const [, code = ""] = /code=([\w-]+)/u.exec(forCleo) ?? [];
  const [, cleos = ""] = /(cof_[\w-]+)/u.exec(await run(token, { "cofi_…": code })) ?? [];
  expect(await send(cleos, "/api/files")).toContain("accounts");
  const own = { path: "vault/mine.md", content: "# Mine\n" };
  expect(await send(cleos, "/api/tools/write", own)).toContain("no_permission");
  expect((await served.team.people.all()).map(({ name }) => name)).toEqual(["Ada", "Bob", "Cleo"]);
  expect(served.bugs).toEqual([]);
});
