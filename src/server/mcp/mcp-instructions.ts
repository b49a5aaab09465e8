import type { McpProfile } from "./mcp-server.ts";

const VAULT = `This server is a vault: a folder of markdown notes that a person and several agents share. It is the memory of what they do, decide and plan. Every path begins with vault/. Others change files while you work.

Usual places, when they exist: vault/overview.md says what the vault is about and its rules, vault/tree.md lists every folder and file, vault/tasks.md holds what is to do, vault/changelog.md what was done, and vault/projects/NAME/ has a state.md (how things stand), a changelog.md and a bucket/ (raw documents).`;

const LOOKING = `- tree shows what there is, with the size in tokens of each file. Begin with depth=1 or 2.
- search finds passages by words, in any form, in French and English. Give two or three wordings of one question; narrow with scopes and dates. It answers with paths and line numbers.
- read shows files with numbered lines. For a large file, read it folded first, or with head or tail.`;

const UPDATE = `Look before you write: search or read what is there on the subject, and add to it rather than start a second note.

${LOOKING}
- append adds at the top or the bottom without reading. Newest changelog entries go to the top.
- edit replaces one exact passage of a file that you have read. Give enough of it to be unique.
- write makes a new file, or replaces one that you have read.
- move renames or files elsewhere; it never replaces anything.
- delete removes. The person can undo it, like every change.

When a write is refused because a file changed or was not read, read it and try again with what it says now. Leave created, updated and tokens in the frontmatter, and tree.md, to the program. Keep a person's words as they are: change no more than the task asks.`;

const SEARCH = `You can look here, not change.

${LOOKING}
- concat assembles whole files and line ranges into one text, byte for byte with their line numbers: use it to answer with the sources themselves rather than retype them.

Say what you found and where, with paths; say so when the vault does not have the answer.`;

const MEMORY = `This server is a person's memory: a vault of notes on what they do, decide and plan, kept by agents of its own. You hand over and ask; you see no files.

- recall before you answer a question about the person, their projects or what was decided, and before you assume something. Ask whole questions. Quote its sources by path.
- remember what is worth keeping beyond this conversation, when it comes up: decisions with their reasons, facts, tasks, dates, names. One call for one subject, as fully as you know it, in the person's language. Do not hand over secrets such as passwords.
- inbox shows what could not be filed. When the person answers one of its questions, call remember with the answer and its inbox_ref.`;

/** What a client tells its model about the server of a profile. Clients cut after 2,000 characters. */
export const INSTRUCTIONS: Readonly<Record<McpProfile, string>> = {
  update: `${VAULT}\n\n${UPDATE}`,
  search: `${VAULT}\n\n${SEARCH}`,
  memory: MEMORY,
};
