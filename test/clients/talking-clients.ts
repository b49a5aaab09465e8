import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { Launch } from "../../src/cli/connect/launch.ts";

const MODULES = path.join(import.meta.dirname, "node_modules");

export const bin = (name: string): string => path.join(MODULES, ".bin", name);

/** Programs that are packages of their own, because their npm package only fetches them. */
export const claude = path.join(MODULES, "@anthropic-ai/claude-code-linux-x64/claude");
export const opencode = path.join(MODULES, "opencode-linux-x64/bin/opencode");
export const codex = path.join(MODULES, "codex/vendor/x86_64-unknown-linux-musl/bin/codex");
const cline = path.join(MODULES, "@cline/cli-linux-x64/bin/cline");

const SAY = "Look it up.";

/** A client that can be given a model of one's own, so that one sees what it shows to it. */
export interface TalkingClient {
  /** As `coffre connect` knows it. */
  readonly client: string;
  readonly package: string;
  /** What of a result with text and structure it shows. */
  readonly shows: { readonly text: boolean; readonly structure: boolean };
  readonly command: (address: string) => readonly string[];
  readonly environment?: (address: string) => Readonly<Record<string, string>>;
  /** Writes files that it needs besides the one that `coffre connect` writes after. */
  readonly prepare?: (home: string, address: string, launch: Launch) => void;
}

export const TALKING_CLIENTS: readonly TalkingClient[] = [
  {
    client: "claude-code",
    package: "@anthropic-ai/claude-code",
    shows: { text: false, structure: true },
    command: () => [claude, "-p", SAY, "--allowedTools", "mcp__coffre"],
    environment: (address) => ({
      ANTHROPIC_BASE_URL: address,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Else the model has to look for tools before it calls one.
      ENABLE_TOOL_SEARCH: "false",
      // Else it asks its model before a server that starts slowly, on a busy machine, has told its tools.
      MCP_CONNECTION_NONBLOCKING: "false",
      MCP_TIMEOUT: "120000",
      MCP_CONNECT_TIMEOUT_MS: "120000",
    }),
  },
  {
    client: "codex",
    package: "codex",
    shows: { text: false, structure: true },
    command: (address) => [
      codex,
      "exec",
      "--skip-git-repo-check",
      ...[
        'model="scripted"',
        'model_provider="scripted"',
        `model_providers.scripted={name="scripted",base_url="${address}/v1",wire_api="responses",env_key="SCRIPTED_KEY"}`,
        'mcp_servers.coffre.default_tools_approval_mode="approve"',
      ].flatMap((setting) => ["-c", setting]),
      SAY,
    ],
    environment: () => ({ SCRIPTED_KEY: "none" }),
  },
  {
    client: "gemini-cli",
    package: "@google/gemini-cli",
    shows: { text: true, structure: false },
    command: () => [bin("gemini"), "-p", SAY, "-m", "gemini-2.5-pro", "--yolo", "--skip-trust"],
    environment: (address) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: address }),
    prepare: (home) => {
      const security = { auth: { selectedType: "gemini-api-key" } };
      put(path.join(home, ".gemini/settings.json"), { security });
    },
  },
  {
    client: "qwen-code",
    package: "@qwen-code/qwen-code",
    shows: { text: true, structure: false },
    command: () => [bin("qwen"), SAY, "--yolo", "--auth-type", "openai"],
    environment: (address) => ({
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${address}/v1`,
      OPENAI_MODEL: "scripted",
    }),
  },
  {
    client: "opencode",
    package: "opencode-linux-x64",
    shows: { text: true, structure: false },
    command: () => [opencode, "run", SAY, "--auto", "--model", "scripted/scripted"],
    environment: (address) => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        small_model: "scripted/scripted",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${address}/v1`, apiKey: "none" },
            models: { scripted: { tool_call: true } },
          },
        },
      }),
    }),
  },
  {
    client: "copilot-cli",
    package: "@github/copilot",
    shows: { text: true, structure: true },
    command: () => [bin("copilot"), "-p", SAY, "--allow-all-tools"],
    environment: (address) => ({
      COPILOT_PROVIDER_BASE_URL: `${address}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "scripted",
    }),
  },
  {
    client: "cline",
    package: "@cline/cli-linux-x64",
    shows: { text: true, structure: true },
    command: () => [cline, "-P", "openai-compatible", "-m", "scripted", SAY],
    // Else it leaves a process behind.
    environment: () => ({ CLINE_SESSION_BACKEND_MODE: "local", CLINE_NO_AUTO_UPDATE: "1" }),
    prepare: (home, address) => {
      const provider = "openai-compatible";
      const settings = { provider, apiKey: "none", model: "scripted", baseUrl: `${address}/v1` };
      const kept = { settings, updatedAt: new Date(0).toISOString(), tokenSource: "manual" };
      put(path.join(home, ".cline/data/settings/providers.json"), {
        version: 1,
        lastUsedProvider: provider,
        modes: {},
        providers: { [provider]: kept },
      });
    },
  },
  {
    client: "continue",
    package: "@continuedev/cli",
    shows: { text: true, structure: false },
    command: () => [bin("cn"), "-p", SAY, "--auto", "--config", "config.yaml"],
    // The folder that `coffre connect` writes to is for the editor; the command line has one file.
    prepare: (home, address, launch) => {
      const model = { name: "scripted", provider: "openai", model: "scripted", apiKey: "none" };
      put(path.join(home, "config.yaml"), {
        name: "test",
        version: "1.0.0",
        schema: "v1",
        models: [
          { ...model, apiBase: `${address}/v1`, roles: ["chat"], capabilities: ["tool_use"] },
        ],
        mcpServers: [{ name: "coffre", ...launch }],
      });
    },
  },
];

/** JSON is YAML, too. */
function put(file: string, value: object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
