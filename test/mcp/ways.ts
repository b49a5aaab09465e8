import { serve, type Ran, type TemporaryPlace } from "../../src/cli/testing/cli.ts";
import { findOwner } from "../../src/jobs/owner/owner-lock.ts";
import type { CallResult } from "../../src/tools/call-result.ts";
import type { Profile } from "../../src/tools/define.ts";
import { toolsOf } from "../../src/tools/registry.ts";
import type { Transport } from "./any-client.ts";
import { atRest } from "./at-rest.ts";
import type { Call } from "./call.ts";
import { CALLS } from "./calls.ts";
import { connectV2 } from "./client-v2.ts";
import { httpForm, jsonForm, mcpForm, shellForm } from "./forms.ts";
import { reached } from "./reached.ts";

/** Asks one question; what was read before through the same one counts. */
export type Ask = (call: Call) => Promise<unknown>;

/** A way to call the tools. */
export interface Way {
  readonly way: string;
  /** Those that can be put this way. */
  readonly calls: readonly Call[];
  /** @param another makes a vault equal to the one of `place` */
  readonly open: (place: TemporaryPlace, another: () => TemporaryPlace) => Promise<Ask>;
  /** What it makes of a tool's answer. */
  readonly form: (result: CallResult, call: Call, root: string) => unknown;
}

const SHELL_CALLS = CALLS.filter(({ shell: argv }) => argv !== null);

export const WAYS: readonly Way[] = [
  {
    way: "coffre TOOL",
    calls: SHELL_CALLS,
    open: async (place) => shell(place),
    form: shellForm,
  },
  {
    way: "coffre TOOL while a service runs",
    calls: SHELL_CALLS,
    open: async (place) => {
      await serve(place);
      await atRest(place);
      return shell(place);
    },
    form: shellForm,
  },
  {
    way: "coffre TOOL --json",
    calls: SHELL_CALLS,
    open: async (place) => shellJson(place),
    form: jsonForm,
  },
  {
    way: "POST /api/tools/TOOL",
    calls: CALLS,
    open: async (place) => {
      await serve(place);
      await atRest(place);
      return overHttp(place);
    },
    form: httpForm,
  },
  {
    way: "MCP over stdio, owning the vault",
    calls: CALLS,
    // Only one of them owns a vault, so each profile has its own.
    open: async (place, another) => overMcp("stdio", "2025-11-25", [place, another()]),
    form: mcpForm,
  },
  {
    way: "MCP over stdio, through the owner",
    calls: CALLS,
    open: async (place) => {
      const owner = await serve(place);
      const ask = await overMcp("stdio", "2025-11-25", [place, place]);
      return async (call) => {
        if (findOwner(place.state)?.pid !== owner.process.pid) throw new Error("no longer owned");
        return ask(call);
      };
    },
    form: mcpForm,
  },
  ...["2025-11-25", "2026-07-28"].map((version) => ({
    way: `MCP over HTTP, ${version}`,
    calls: CALLS,
    open: async (place: TemporaryPlace) => {
      await serve(place);
      return overMcp("HTTP", version, [place, place]);
    },
    form: mcpForm,
  })),
];

function profileOf({ tool }: Call): Profile {
  return toolsOf("update").some(({ name }) => name === tool) ? "update" : "search";
}

async function overMcp(
  transport: Transport,
  version: string,
  [forUpdate, forSearch]: readonly [TemporaryPlace, TemporaryPlace],
): Promise<Ask> {
  const clients = {
    update: await connectV2(forUpdate, { transport, version, profile: "update" }),
    search: await connectV2(forSearch, { transport, version, profile: "search" }),
  };
  // With this, a client says that it will call.
  for (const client of [clients.update, clients.search]) await client.tools();
  for (const place of [forUpdate, forSearch]) await atRest(place);
  return async (call) => clients[profileOf(call)].call(call.tool, call.args);
}

function overHttp(place: TemporaryPlace): Ask {
  const { url, headers } = reached(place);
  return async (call) => {
    const response = await fetch(url(`/api/tools/${call.tool}?profile=${profileOf(call)}`), {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(call.args),
    });
    return response.json();
  };
}

function shell({ run }: TemporaryPlace): Ask {
  return async (call) => run(argvOf(call));
}

function shellJson({ run }: TemporaryPlace): Ask {
  const parsed = (text: string): unknown => (text === "" ? null : JSON.parse(text));
  return async (call) => {
    const { code, stdout, stderr }: Ran = await run(["--json", ...argvOf(call)]);
    return { code, stdout: parsed(stdout), stderr: parsed(stderr) };
  };
}

function argvOf({ shell: argv, what }: Call): readonly string[] {
  if (argv === null) throw new Error(`the shell cannot be asked to ${what}`);
  return argv;
}
