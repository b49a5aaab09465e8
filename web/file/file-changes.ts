import type { SavedAnswer, ToolResult, UndoAnswer } from "../../src/server/api/contract.ts";
import { problemOf, saidProblem } from "../api/problem.ts";
import { postJson } from "../api/request.ts";
import { texts } from "../texts/texts.ts";
import { isMarkdown, nameOf, ROOT } from "../tree/paths.ts";
import { showToast } from "../ui/toasts.tsx";

/** Facts of a change by a tool, as far as the page shows them. */
interface ChangeFacts {
  readonly history?: string | null;
  readonly to?: string;
  readonly links?: {
    readonly rewritten: number;
    readonly left: number;
    readonly left_in: readonly string[];
  } | null;
  readonly error?: { readonly code: string; readonly message: string };
}

async function callTool(name: string, args: object): Promise<ChangeFacts> {
  const answer = await postJson<ToolResult<ChangeFacts>>(`/api/tools/${name}`, args);
  const { error } = answer.structured;
  if (error !== undefined) throw await saidProblem(error.code, error.message);
  return answer.structured;
}

/** Says what was done, with a way back. */
function offerUndo(text: string, id: string | null | undefined, onUndone: () => void): void {
  if (typeof id !== "string") return;
  const undo = async (): Promise<void> => {
    try {
      await postJson<UndoAnswer>("/api/undo", { id });
      showToast({ text: texts.write.undone });
      onUndone();
    } catch (error) {
      showToast({ text: problemOf(error).message });
    }
  };
  showToast({ text, action: { label: texts.write.undo, run: () => void undo() } });
}

/** What a move did, as the tool says it: also which links could not follow. */
export function movedText(to: string, links: ChangeFacts["links"]): string {
  const moved = texts.write.moved(to, links?.rewritten ?? 0);
  const left = links?.left ?? 0;
  return left === 0 ? moved : `${moved} ${texts.write.linksLeft(left, links?.left_in ?? [])}`;
}

/**
 * Where a note goes that is given a name without an extension: it stays a note, as a new one becomes one.
 * @param files of the vault: the name of a folder means into it
 */
export function withExtension(
  path: string,
  to: string,
  files: readonly { readonly path: string }[],
): string {
  if (!isMarkdown(path) || to.endsWith("/") || /\.(?:md|markdown|txt)$/iu.test(to)) return to;
  const full = ROOT + to.replace(/^\/*(?:vault\/)?/u, "");
  if (files.some((file) => file.path.startsWith(`${full}/`))) return to;
  return to + path.slice(path.lastIndexOf("."));
}

/** Moves a file or folder; the links to it follow. Returns its new path. Throws a `RequestProblem`. */
export async function moveFile(path: string, to: string, onUndone: () => void): Promise<string> {
  const { history, to: moved = to, links } = await callTool("move", { from: path, to });
  offerUndo(movedText(moved, links), history, onUndone);
  return moved;
}

/** Deletes a file, or a folder with all under it, with a way back. Throws a `RequestProblem`. */
export async function removeFile(path: string, onUndone: () => void): Promise<void> {
  const { history } = await callTool("delete", { path });
  offerUndo(texts.write.removed(nameOf(path)), history, onUndone);
}

/** Makes an empty note with a heading. Throws a `RequestProblem`. */
export async function createNote(path: string): Promise<void> {
  const title = nameOf(path).replace(/\.md$/iu, "");
  await postJson<SavedAnswer>("/api/note", { path, body: `# ${title}\n\n`, base: null });
}

/** Ticks a task, or opens it again; says so when that was not possible. */
export async function tickTask(
  path: string,
  line: number,
  text: string,
  isDone: boolean,
): Promise<void> {
  try {
    await postJson<SavedAnswer>("/api/note/task", { path, line, text, done: isDone });
  } catch (error) {
    showToast({ text: `${texts.write.tickFailed} ${problemOf(error).message}` });
  }
}
