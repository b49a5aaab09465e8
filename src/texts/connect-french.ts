/** What is said of AI clients that came later, after they were given a vault. */
export const connectFrench: Readonly<Record<string, string>> = {
  "Start a new session of Gemini CLI; /mcp shows {0} there.":
    "Ouvrez une nouvelle session de Gemini CLI ; /mcp y montre {0}.",
  "Start a new session of Copilot CLI; /mcp show lists {0} there.":
    "Ouvrez une nouvelle session de Copilot CLI ; /mcp show y montre {0}.",
  "Start opencode again; opencode mcp list shows {0}.":
    "Relancez opencode ; opencode mcp list montre {0}.",
  "In Windsurf, open the MCP servers of Cascade and refresh; {0} is there.":
    "Dans Windsurf, ouvrez les serveurs MCP de Cascade et actualisez ; {0} s’y trouve.",
  "Zed starts {0} by itself; its agent panel's settings show it.":
    "Zed lance {0} de lui-même ; les réglages de son panneau d’agent le montrent.",
  "In Cline, open MCP Servers; {0} is among those installed.":
    "Dans Cline, ouvrez « MCP Servers » ; {0} est parmi ceux qui sont installés.",
  "Reload Continue; its agent mode has {0} among its tools.":
    "Rechargez Continue ; son mode agent a {0} parmi ses outils.",
  "Start a new session of Goose; {0} is among its extensions.":
    "Ouvrez une nouvelle session de Goose ; {0} est parmi ses extensions.",
  "In LM Studio, switch {0} on under Program, Integrations.":
    "Dans LM Studio, activez {0} sous « Program », « Integrations ».",
  "Start Jan again; {0} is in its settings, under MCP Servers.":
    "Relancez Jan ; {0} est dans ses réglages, sous « MCP Servers ».",
  "Kiro connects by itself; its MCP servers view shows {0}.":
    "Kiro se connecte de lui-même ; sa vue des serveurs MCP montre {0}.",
  "Start a new session of Qwen Code; /mcp shows {0} there.":
    "Ouvrez une nouvelle session de Qwen Code ; /mcp y montre {0}.",
};
