import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { clientNames } from "../connect/clients.ts";
import { coffre, mainFile } from "../testing/cli.ts";
import { extensionOf, person, serversOf } from "../testing/person.ts";

const PARSERS: Readonly<Record<"json" | "toml" | "yaml", (text: string) => unknown>> = {
  json: (text) => JSON.parse(text),
  toml: (text) => parseToml(text),
  yaml: (text) => parseYaml(text),
};

describe("coffre connect", () => {
  it.each(clientNames)(
    "prints the configuration of %s alone, and says where it goes",
    async (client) => {
      const { vault, state, connect, fileOf } = person();
      const { code, stdout, stderr } = await connect(client);
      expect(code).toBe(0);
      const config: unknown = PARSERS[extensionOf(client)](stdout);
      const args = [mainFile, "mcp", "--vault", vault, "--state", state];
      const usual = { command: process.execPath, args };
      const entry =
        {
          goose: { cmd: process.execPath, args },
          opencode: { command: [process.execPath, ...args] },
        }[client] ?? usual;
      expect(config).toMatchObject({ [serversOf(client)]: { coffre: entry } });
      expect(stderr).toContain(`the vault ${vault}`);
      expect(stderr).toContain(
        `put this into ${await fileOf(client)}, which --write does for you:\n\n`,
      );
      expect(existsSync(await fileOf(client))).toBe(false);
    },
  );

  it.each([
    ["claude-code", "claude mcp add --scope user coffre -- "],
    ["vscode", `code --add-mcp '{"name":"coffre","type":"stdio","command":"`],
    ["codex", "codex mcp add coffre -- "],
  ])("prints the command that %s has for it", async (client, command) => {
    const { vault, connect } = person();
    const { stderr } = await connect(client);
    const line = stderr.split("\n").find((each) => each.startsWith(command));
    expect(line).toContain(process.execPath);
    expect(line).toContain(vault);
    expect(JSON.parse((await connect(client, "--json")).stdout)).toMatchObject({ command: line });
  });

  it("prints no command where it would write to another file", async () => {
    const { connect } = person();
    for (const argv of [
      ["cursor"],
      ["claude-code", "--file", "x.json"],
      ["vscode", "--scope", "project"],
      ["codex", "--scope", "project"],
    ]) {
      expect(JSON.parse((await connect(...argv, "--json")).stdout)).not.toHaveProperty("command");
    }
  });

  it("names the state folder where a client would not find it by itself", async () => {
    const { home, vault } = person();
    const connect = ["connect", "cursor", "--json", "--vault", vault];
    const environment = { HOME: home, XDG_STATE_HOME: path.join(home, "states") };
    const { stdout } = await coffre(connect, { environment });
    expect(stdout).toContain(path.join(home, "states", "coffre"));
  });

  it("is refused without a client, or with another, and lists those there are", async () => {
    const { connect } = person();
    const none = await connect();
    expect(none.code).toBe(2);
    expect(none.stderr).toContain(
      "CLIENT is missing: one of claude-code, claude-desktop, cursor, vscode, codex, gemini-cli, copilot-cli, opencode, windsurf, zed, cline, continue, goose, lm-studio, jan, kiro, qwen-code.",
    );
    const unknown = await connect("emacs");
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(`CLIENT takes ${clientNames.join(" or ")}, not "emacs".`);
  });

  it("is refused for a project where the client has no such file, and for two files", async () => {
    const { connect } = person();
    const project = await connect("claude-desktop", "--scope", "project");
    expect(project.code).toBe(2);
    expect(project.stderr).toContain("Claude Desktop has no project files; leave out --scope.");
    expect((await connect("cursor", "--scope", "user", "--file", "x")).code).toBe(2);
  });

  it("is refused where there is no vault", async () => {
    const home = temporaryFolder();
    const argv = ["connect", "cursor", "--write", "--vault", path.join(home, "notes")];
    const { code, stderr } = await coffre(argv, { environment: { HOME: home } });
    expect(code).toBe(1);
    expect(stderr).toContain("Make one with: coffre init");
    expect(readdirSync(home)).toEqual([]);
  });
});
