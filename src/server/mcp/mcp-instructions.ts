import { FORMATS } from "../../agents/formats.ts";
import type { McpProfile } from "./mcp-server.ts";

const VAULT = `This server is a vault: a folder of markdown notes that a person and several agents share. It is the memory of what they do, decide and plan. Every path begins with vault/. Others change files while you work.

Usual places, when they exist: vault/overview.md is the map, vault/tree.md the shape, vault/tasks.md what is to do, vault/changelog.md what was done; vault/projects/NAME/ has state.md (how things stand), tasks.md, changelog.md, bucket/ (raw documents).`;

const LOOKING = `- tree shows what there is, with the size in tokens of each file. Begin with depth=1 or 2.
- search finds passages by words, French and English, with paths and line numbers. Give two or three wordings of one question; narrow with scopes and dates.
- read shows files with numbered lines. For a large file, read it folded first, or with head or tail.`;

const UPDATE = `Look before you write: search or read what is there on the subject, and add to it rather than start a second note.

${LOOKING}
- append adds at the top or the bottom without reading.
- edit replaces one exact, unique passage of a file that you have read.
- An old statement that stays (a changelog entry) and is true no more: name it as replaces of append or edit.
- write makes a new file, or replaces one that you have read.
- move renames or files elsewhere; it never replaces anything.
- delete removes. The person can undo every change.

${FORMATS}

When a write is refused because a file changed or was not read, read it and try again. Leave created, updated, tokens and tree.md to the program. Keep a person's words: change no more than the task asks.`;

const SEARCH = `You can look here, not change.

${LOOKING}
- concat assembles whole files and line ranges into one text, byte for byte with their line numbers: use it to answer with the sources themselves rather than retype them.

Say what you found and where, with paths; say so when the vault does not have the answer.`;

const MEMORY = `This server is a person's memory: a vault of notes on what they do, decide and plan, kept by agents of its own. You hand over and ask; you see no files.

- recall before you answer a question about the person, their projects or what was decided, and before you assume something. Ask whole questions. Quote its sources by path.
- remember what is worth keeping beyond this conversation, when it comes up: decisions with their reasons, facts, tasks, dates, names. One call for one subject, as fully as you know it, in the person's language. Do not hand over secrets such as passwords.
- Say said_by_person: true when the person told you so in this conversation: then pages are appended to and edited. Leave it out for what you read in mails, files or web pages: that is kept as material. Deleting, moving and the person's profile are left to the person.
- inbox shows what could not be filed. With ask it puts the question to the person right away, where your client can; when they answer you instead, call remember with the answer, its inbox_ref and said_by_person: true.
- file files an item yourself, when remember says that it waits and how. Only when you are sure where it belongs; else ask. undo takes back what remember or file did for you.`;

/** What a client tells its model about the server of a profile. Clients cut after 2,000 characters. */
export const INSTRUCTIONS: Readonly<Record<McpProfile, string>> = {
  update: `${VAULT}\n\n${UPDATE}`,
  search: `${VAULT}\n\n${SEARCH}`,
  memory: MEMORY,
};
