import type { ClientFacts } from "./clients.ts";
import {
  dotConfig,
  inHome,
  inProject,
  pathOn,
  settingsFolder,
  variable,
  type Machine,
} from "./machine.ts";

/*
 * Clients that came later. Their files are as their documentation has them; docs/connect.md says which of them were tried.
 */

export const otherClients = {
  "gemini-cli": {
    title: "Gemini CLI",
    format: "json",
    servers: "mcpServers",
    files: {
      user: inHome(".gemini", "settings.json"),
      project: inProject(".gemini", "settings.json"),
    },
    next: (name) => `Start a new session of Gemini CLI; /mcp shows ${name} there.`,
  },
  "copilot-cli": {
    title: "Copilot CLI",
    format: "json",
    servers: "mcpServers",
    files: {
      user: (machine) =>
        pathOn(
          machine,
          variable(machine, "COPILOT_HOME") ?? pathOn(machine, machine.home, ".copilot"),
          "mcp-config.json",
        ),
    },
    // Without a list of tools it offers none.
    entryOf: ({ command, args }) => ({ type: "local", command, args, tools: ["*"] }),
    next: (name) => `Start a new session of Copilot CLI; /mcp show lists ${name} there.`,
  },
  opencode: {
    title: "opencode",
    format: "json",
    servers: "mcp",
    files: {
      user: (machine) => jsonOrJsonc(machine, pathOn(machine, dotConfig(machine), "opencode")),
      project: (machine) => jsonOrJsonc(machine, pathOn(machine)),
    },
    entryOf: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
    next: (name) => `Start opencode again; opencode mcp list shows ${name}.`,
  },
  windsurf: {
    title: "Windsurf",
    format: "json",
    servers: "mcpServers",
    files: { user: inHome(".codeium", "windsurf", "mcp_config.json") },
    next: (name) => `In Windsurf, open the MCP servers of Cascade and refresh; ${name} is there.`,
  },
  zed: {
    title: "Zed",
    format: "json",
    servers: "context_servers",
    files: { user: zedFile, project: inProject(".zed", "settings.json") },
    entryOf: ({ command, args }) => ({ source: "custom", command, args }),
    next: (name) => `Zed starts ${name} by itself; its agent panel's settings show it.`,
  },
  cline: {
    title: "Cline",
    format: "json",
    servers: "mcpServers",
    files: { user: clineFile },
    next: (name) => `In Cline, open MCP Servers; ${name} is among those installed.`,
  },
  continue: {
    title: "Continue",
    format: "json",
    servers: "mcpServers",
    files: {
      user: inHome(".continue", "mcpServers", "coffre.json"),
      project: inProject(".continue", "mcpServers", "coffre.json"),
    },
    next: (name) => `Reload Continue; its agent mode has ${name} among its tools.`,
  },
  goose: {
    title: "Goose",
    format: "yaml",
    servers: "extensions",
    files: { user: gooseFile },
    entryOf: ({ command, args }, name) => ({
      name,
      type: "stdio",
      cmd: command,
      args,
      enabled: true,
      timeout: 300,
    }),
    next: (name) => `Start a new session of Goose; ${name} is among its extensions.`,
  },
  "lm-studio": {
    title: "LM Studio",
    format: "json",
    servers: "mcpServers",
    files: { user: inHome(".lmstudio", "mcp.json") },
    next: (name) => `In LM Studio, switch ${name} on under Program, Integrations.`,
  },
  jan: {
    title: "Jan",
    format: "json",
    servers: "mcpServers",
    files: {
      user: (machine) => pathOn(machine, settingsFolder(machine), "Jan", "data", "mcp_config.json"),
    },
    entryOf: ({ command, args }) => ({ command, args, env: {}, active: true }),
    next: (name) => `Start Jan again; ${name} is in its settings, under MCP Servers.`,
  },
  kiro: {
    title: "Kiro",
    format: "json",
    servers: "mcpServers",
    files: {
      user: inHome(".kiro", "settings", "mcp.json"),
      project: inProject(".kiro", "settings", "mcp.json"),
    },
    next: (name) => `Kiro connects by itself; its MCP servers view shows ${name}.`,
  },
  "qwen-code": {
    title: "Qwen Code",
    format: "json",
    servers: "mcpServers",
    files: {
      user: inHome(".qwen", "settings.json"),
      project: inProject(".qwen", "settings.json"),
    },
    next: (name) => `Start a new session of Qwen Code; /mcp shows ${name} there.`,
  },
} satisfies Readonly<Record<string, ClientFacts>>;

/** It reads both names; the one with comments is used where a person has it. */
function jsonOrJsonc(machine: Machine, folder: string): string {
  const commented = pathOn(machine, folder, "opencode.jsonc");
  return machine.exists(commented) ? commented : pathOn(machine, folder, "opencode.json");
}

function zedFile(machine: Machine): string {
  return machine.platform === "win32"
    ? pathOn(machine, settingsFolder(machine), "Zed", "settings.json")
    : pathOn(machine, dotConfig(machine), "zed", "settings.json");
}

/** The extension of VS Code; its command line, where only that is there. */
function clineFile(machine: Machine): string {
  const extension = pathOn(
    machine,
    settingsFolder(machine),
    "Code/User/globalStorage/saoudrizwan.claude-dev",
  );
  const own = pathOn(machine, machine.home, ".cline", "data");
  const folder = !machine.exists(extension) && machine.exists(own) ? own : extension;
  return pathOn(machine, folder, "settings", "cline_mcp_settings.json");
}

function gooseFile(machine: Machine): string {
  return machine.platform === "win32"
    ? pathOn(machine, settingsFolder(machine), "Block", "goose", "config", "config.yaml")
    : pathOn(machine, dotConfig(machine), "goose", "config.yaml");
}
