/**
 * The MCP servers that are compared, each started as its manual says, on the same notes. What is not installed is left out:
 * `npm ci --prefix bench/peers`.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import type { McpProgram, ToolRequest } from "./mcp-session.ts";
import type { Question } from "./service-questions.ts";

/** As many results are asked of all that let one say. */
const RESULTS = 10;

export const coffreProgram = path.join(import.meta.dirname, "../src/cli/main.ts");

export interface Contender {
  readonly name: string;
  /** What it does when it is asked, where it matters for the comparison. */
  readonly manner: string;
  readonly program: McpProgram;
  /** Before it is started. */
  readonly prepare?: () => Promise<void>;
  /** @param note its path within the vault */
  readonly read: (note: string) => ToolRequest;
  readonly search: (question: Pick<Question, "words" | "name">) => ToolRequest;
  /** Makes a note; undefined when it cannot, or finds no words in notes. */
  readonly write?: (note: string, text: string) => ToolRequest;
  /** Lists all folders and files; undefined when no tool of it does. */
  readonly tree?: ToolRequest;
  /** The notes that it looks at whenever it is asked, or follows; undefined when other programs cannot change what it knows. */
  readonly folder?: string;
  /** How many times faster than it we want to be; null when it does something else. */
  readonly goals: { readonly read: number | null; readonly search: number | null };
}

export interface CoffrePlace {
  readonly root: string;
  readonly state: string;
}

export function coffreMcp({ root, state }: CoffrePlace, ...more: string[]): McpProgram {
  return { args: [coffreProgram, "mcp", "--vault", root, "--state", state, ...more] };
}

/** @param main the program, when it is not to be run from source */
export function ours(
  name: string,
  manner: string,
  place: CoffrePlace,
  main = coffreProgram,
): Contender {
  const { args, ...program } = coffreMcp(place);
  return {
    name,
    manner,
    program: { ...program, args: [main, ...args.slice(1)] },
    read: (note) => ({ name: "read", arguments: { paths: `vault/${note}` } }),
    search: ({ words }) => ({ name: "search", arguments: { queries: [words], limit: RESULTS } }),
    write: (note, text) => ({
      name: "write",
      arguments: { path: `vault/${note}`, content: text },
    }),
    tree: { name: "tree", arguments: {} },
    folder: place.root,
    goals: { read: null, search: null },
  };
}

export interface PeerPlaces {
  /** The notes, for those that write nothing there when they are asked. */
  readonly root: string;
  /** A copy of them, for the one that does. */
  readonly obsidian: string;
  /** For what they keep: nothing of it goes to the home folder. */
  readonly home: string;
}

/** All peers, installed or not. */
export function peers({ root, obsidian, home }: PeerPlaces): Contender[] {
  const environment = {
    HOME: home,
    XDG_CACHE_HOME: path.join(home, "cache"),
    XDG_CONFIG_HOME: path.join(home, "config"),
  };
  const qmd = installed("@tobilu/qmd/dist/cli/qmd.js");
  const memory = path.join(home, "memory.jsonl");
  return [
    {
      name: "server-filesystem",
      manner: "search looks at names only: it is given that of a note",
      program: {
        args: [installed("@modelcontextprotocol/server-filesystem/dist/index.js"), root],
        environment,
      },
      read: (note) => ({ name: "read_text_file", arguments: { path: path.join(root, note) } }),
      search: ({ name }) => ({
        name: "search_files",
        arguments: { path: root, pattern: `**/${name}` },
      }),
      tree: { name: "directory_tree", arguments: { path: root } },
      goals: { read: 1, search: null },
    },
    {
      name: "mcpvault",
      manner: "search reads every note",
      program: { args: [installed("@bitbonsai/mcpvault/dist/server.js"), root], environment },
      read: (note) => ({ name: "read_note", arguments: { path: note } }),
      search: ({ words }) => ({
        name: "search_notes",
        arguments: { query: words, limit: RESULTS },
      }),
      write: (note, text) => ({ name: "write_note", arguments: { path: note, content: text } }),
      folder: root,
      goals: { read: 1, search: 20 },
    },
    {
      name: "obsidian-mcp",
      manner: "search reads note after note, in the order of names, until it has its results",
      program: {
        args: [installed("obsidian-mcp/dist/main.js"), "serve", "--vault", `notes=${obsidian}`],
        environment,
      },
      // It serves no folder that Obsidian has not opened once.
      prepare: async () => void mkdirSync(path.join(obsidian, ".obsidian"), { recursive: true }),
      read: (note) => ({ name: "obsidian_read_note", arguments: { vault: "notes", path: note } }),
      search: ({ words }) => ({
        name: "obsidian_search_vault",
        arguments: { vault: "notes", query: words, limit: RESULTS },
      }),
      write: (note, text) => ({
        name: "obsidian_create_note",
        arguments: { vault: "notes", path: note, content: text },
      }),
      folder: obsidian,
      goals: { read: 1, search: 20 },
    },
    {
      name: "server-memory",
      manner: "a graph in one file, which it reads at every call; the notes are entities of it",
      program: {
        args: [installed("@modelcontextprotocol/server-memory/dist/index.js")],
        environment: { ...environment, MEMORY_FILE_PATH: memory },
      },
      prepare: async () => writeGraph(root, memory),
      read: (note) => ({ name: "open_nodes", arguments: { names: [note] } }),
      search: ({ words }) => ({ name: "search_nodes", arguments: { query: words } }),
      write: (note, text) => ({
        name: "create_entities",
        arguments: { entities: [{ name: note, entityType: "note", observations: [text] }] },
      }),
      goals: { read: null, search: null },
    },
    {
      name: "QMD",
      manner: "both from its own index, by words, without models; files are not looked at",
      program: { args: [qmd, "mcp"], environment },
      prepare: async () => {
        const words = [qmd, "collection", "add", root, "--name", "vault"];
        await promisify(execFile)(process.execPath, words, {
          env: environment,
          maxBuffer: 1e8,
        });
      },
      read: (note) => ({ name: "get", arguments: { file: `qmd://vault/${note}` } }),
      search: ({ words }) => ({
        name: "query",
        arguments: { searches: [{ type: "lex", query: words }], limit: RESULTS, rerank: false },
      }),
      goals: { read: 1, search: null },
    },
  ];
}

/** All notes of a folder as entities, one a line, as the server keeps them. */
function writeGraph(root: string, file: string): void {
  const entities = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const observations = [readFileSync(path.join(root, name), "utf8")];
      return JSON.stringify({ type: "entity", name, entityType: "note", observations });
    });
  writeFileSync(file, entities.join("\n"));
}

export function isInstalled({ program: { args } }: Contender): boolean {
  return existsSync(args[0] ?? "");
}

function installed(program: string): string {
  return path.join(import.meta.dirname, "peers/node_modules", program);
}
