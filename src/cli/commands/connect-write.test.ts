import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { asOrdinaryUser } from "../../testing/ordinary-user.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { clientNames } from "../connect/clients.ts";
import {
  extensionOf,
  lived,
  parsed,
  person,
  read,
  serversIn,
  serversOf,
  spawnConnect,
  withFile,
  wordsIn,
  fileListing,
} from "../testing/person.ts";

const BROKEN = { json: `{\n  "a": 1,,\n}\n`, toml: `a = 1\nb = = 2\n`, yaml: `a: 1\nb: ]\n` };

describe.each(clientNames)("coffre connect %s --write", (client) => {
  it("makes the file that is missing, says what to do next, and does nothing the second time", async () => {
    const { vault, connect, fileOf } = person();
    const file = await fileOf(client);
    const first = await connect(client, "--write");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(/^Made .* with coffre, for the vault .*\n.*\S.*\n$/u);
    expect(read(file)).toBe((await connect(client)).stdout);
    const written = lstatSync(file, { bigint: true });
    const second = await connect(client, "--write");
    expect(second).toMatchObject({
      code: 0,
      stdout: `Nothing to do: ${file} has coffre already, for the vault ${vault}.\n`,
    });
    expect(lstatSync(file, { bigint: true }).ctimeNs).toBe(written.ctimeNs);
    expect(readdirSync(path.dirname(file))).not.toContain(`${path.basename(file)}.coffre-backup`);
  });

  it("keeps every byte of a file that a person wrote, and the file as it was", async () => {
    const someone = person();
    const [before = "", after = ""] = lived(client).split("@");
    const file = await withFile(someone, client, before + after);
    const { stdout } = await someone.connect(client, "--write");
    expect(stdout).toMatch(
      new RegExp(`^Added coffre to .*\nThe file as it was: ${file}.coffre-backup\n`, "u"),
    );
    expect(read(`${file}.coffre-backup`)).toBe(before + after);
    const text = read(file);
    expect(text.startsWith(before)).toBe(true);
    expect(text.endsWith(after)).toBe(true);
    expect(text.slice(before.length).replaceAll("\r\n", "")).not.toContain("\n");
    expect(text).toContain(someone.vault);
    await someone.connect(client, "--write");
    expect(read(file)).toBe(text);
  });

  it("leaves a file that it cannot read as it is, and says where and what to add", async () => {
    const someone = person();
    const broken = BROKEN[extensionOf(client)];
    const file = await withFile(someone, client, broken);
    const { code, stdout, stderr } = await someone.connect(client, "--write");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /^\S+ was not changed: line 2 is not valid (?:JSON|TOML|YAML) \(.+\)\. /u,
    );
    expect(stderr).toContain(`add this by hand:\n\n${(await someone.connect(client)).stdout}`);
    expect(read(file)).toBe(broken);
    expect(readdirSync(path.dirname(file))).not.toContain(`${path.basename(file)}.coffre-backup`);
  });

  it("leaves a file that it may not write as it is", async () => {
    const someone = person();
    const file = await withFile(someone, client, "");
    const folder = path.dirname(file);
    await asOrdinaryUser(someone.base, async () => {
      chmodSync(folder, 0o555);
      const { code, stderr } = await someone.connect(client, "--write");
      expect(code).toBe(1);
      expect(stderr).toBe(`${file} cannot be opened: the system denies permission to this user.\n`);
      chmodSync(folder, 0o755);
    });
    expect(read(file)).toBe("");
  });

  it("follows a link, which stays one", async () => {
    const someone = person();
    const file = await someone.fileOf(client);
    const real = path.join(someone.base, "dotfiles");
    writeFileSync(real, lived(client).replace("@", ""));
    mkdirSync(path.dirname(file), { recursive: true });
    symlinkSync(real, file);
    const { stdout } = await someone.connect(client, "--write");
    expect(stdout).toContain(`Added coffre to ${file}`);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(read(real)).toContain(someone.vault);
  });

  it("lets two profiles stand side by side", async () => {
    const { connect, fileOf } = person();
    await connect(client, "--write");
    const { stdout } = await connect(client, "--write", "--profile", "search");
    expect(stdout).toContain("Added coffre-search to");
    const servers = { coffre: {}, "coffre-search": {} };
    const file = await fileOf(client);
    expect(parsed(file)).toMatchObject({ [serversOf(client)]: servers });
    expect(read(file).match(/--profile/gu)).toHaveLength(1);
  });

  it("replaces its own server when it differs, and says which vault it was for", async () => {
    const someone = person();
    const other = person();
    await other.connect(client, "--write");
    const file = await withFile(someone, client, read(await other.fileOf(client)));
    const { stdout } = await someone.connect(client, "--write");
    expect(stdout).toContain(
      `Replaced coffre in ${file}; it is for the vault ${someone.vault} now.`,
    );
    expect(stdout).toContain(`Before, it was for the vault ${other.vault}.`);
    expect(read(file)).not.toContain(other.vault);
  });

  it("keeps what a person added to its server: bounds, keys, what may be used unasked", async () => {
    const someone = person();
    const other = person();
    await other.connect(client, "--write");
    const own = await other.fileOf(client);
    const additions = ["--write", "projects/x/**", "--preview", "--max-tokens", "20000"];
    const settings = { env: { KEY: "s3cret" }, autoApprove: ["read"], trust: true, disabled: true };
    const server = serversIn(own, client)["coffre"] ?? {};
    const list = Array.isArray(server["args"]) ? "args" : "command";
    const added = { ...server, ...settings, [list]: [...wordsIn(server), ...additions] };
    const file = await withFile(someone, client, fileListing(client, { coffre: added }));
    const { stdout } = await someone.connect(client, "--write");
    expect(stdout).toContain("Kept of what stood there: --write projects/x/**, --preview, ");
    expect(stdout).not.toContain("s3cret");
    const kept = read(file);
    const { coffre = {} } = serversIn(file, client);
    expect(coffre).toMatchObject(settings);
    const place = ["--vault", someone.vault, "--state", someone.state];
    expect(wordsIn(coffre).slice(-9)).toEqual([...place, ...additions]);
    expect(read(file)).not.toContain(other.vault);
    expect((await someone.connect(client, "--write")).stdout).toContain("Nothing to do:");
    expect(read(file)).toBe(kept);
  });

  it("tells programs what it did", async () => {
    const { vault, connect, fileOf } = person();
    const file = await fileOf(client);
    const tell = async (): Promise<unknown> =>
      JSON.parse((await connect(client, "--write", "--json")).stdout);
    const told = await tell();
    expect(JSON.stringify(told)).toContain(JSON.stringify(vault));
    expect(told).toMatchObject({
      client,
      file,
      config: { [serversOf(client)]: { coffre: expect.any(Object) } },
      outcome: "created",
      backup: null,
    });
    expect(await tell()).toMatchObject({ outcome: "unchanged", backup: null });
    writeFileSync(file, lived(client).replace("@", ""));
    expect(await tell()).toMatchObject({ outcome: "added", backup: `${file}.coffre-backup` });
  });
});

it("coffre connect --write leaves text in another encoding as it is", async () => {
  const someone = person();
  const file = await withFile(someone, "cursor", "");
  writeFileSync(file, Buffer.from("\uFEFF{}", "utf16le"));
  const { code, stderr } = await someone.connect("cursor", "--write");
  expect(code).toBe(1);
  expect(stderr).toContain(`${file} was not changed: it is not UTF-8 text.`);
});

describe("coffre connect --scope project", () => {
  it.each([
    ["claude-code", ".mcp.json"],
    ["cursor", ".cursor/mcp.json"],
    ["vscode", ".vscode/mcp.json"],
    ["codex", ".codex/config.toml"],
  ])("writes the file of %s in the folder it is run in", (client, name) => {
    const project = temporaryFolder();
    const said = spawnConnect(person(), project, client, "--write", "--scope", "project");
    const file = path.join(project, name);
    expect(said).toContain(`Made ${file} with coffre`);
    expect(said).toContain("It names folders of this machine: better not commit it.");
    expect(parsed(file)).toHaveProperty([serversOf(client), "coffre"]);
  });
});
