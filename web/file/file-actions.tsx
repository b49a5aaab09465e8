import { useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";

import { problemOf, type RequestProblem } from "../api/problem.ts";
import { useServices } from "../api/services.ts";
import { editAddress, fileAddress } from "../app/addresses.ts";
import { texts } from "../texts/texts.ts";
import { folderOf } from "../tree/paths.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icons.tsx";
import { createNote, moveFile, removeFile, withExtension } from "./file-changes.ts";
import { useFileForm } from "./file-form.ts";

/** Moving, renaming and deleting a file or folder. */
export function FileActions({ path }: { readonly path: string }): ReactNode {
  const { router, files } = useServices();
  const [isMoving, setMoving] = useFileForm({ kind: "move", path });
  const [problem, setProblem] = useState<RequestProblem | null>(null);
  const back = (): void => router.go(fileAddress(path));
  const run = async (work: () => Promise<string>): Promise<void> => {
    try {
      const next = await work();
      setProblem(null);
      setMoving(false);
      router.replace(fileAddress(next));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  const remove = async (): Promise<string> => {
    await removeFile(path, back);
    return folderOf(path);
  };
  return (
    <>
      <Button look="plain" aria-expanded={isMoving} onClick={() => setMoving(!isMoving)}>
        {texts.write.move}
      </Button>
      <Button look="plain" onClick={() => void run(remove)}>
        {texts.write.remove}
      </Button>
      {isMoving ? (
        <div className="w-full pl-2.5 pt-1">
          <PathForm
            label={texts.write.newPath}
            // With its final slash it would mean: into the folder of that name.
            start={path.replace(/\/$/u, "")}
            submit={texts.write.moveNow}
            onCancel={() => setMoving(false)}
            onSubmit={(to) =>
              void run(async () =>
                moveFile(path, withExtension(path, to, files.files.get() ?? []), back),
              )
            }
          />
        </div>
      ) : null}
      {problem === null ? null : (
        <p role="alert" className="w-full pl-2.5 text-sm text-danger">
          {problem.message}
        </p>
      )}
    </>
  );
}

interface PathFormProps {
  readonly label: string;
  readonly start: string;
  readonly submit: string;
  readonly onSubmit: (path: string) => void;
  readonly onCancel: () => void;
}

function PathForm({ label, start, submit, onSubmit, onCancel }: PathFormProps): ReactNode {
  const [path, setPath] = useState(start);
  const field = useRef<HTMLInputElement>(null);
  // It was asked for a moment ago, by a button that stays where it was.
  useEffect(() => field.current?.focus(), []);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== "") onSubmit(path.trim());
  };
  return (
    <form onSubmit={send} className="flex w-full flex-wrap items-center gap-2">
      <label className="flex min-w-0 flex-1 basis-64 items-center gap-2 text-sm">
        <span className="shrink-0 text-muted">{label}</span>
        <input
          value={path}
          ref={field}
          onChange={(event) => setPath(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape") onCancel();
          }}
          className="min-h-9 min-w-0 flex-1 rounded-md border border-strong-line bg-raised px-2"
        />
      </label>
      <Button look="solid" type="submit">
        {submit}
      </Button>
      <Button onClick={onCancel}>{texts.write.cancel}</Button>
    </form>
  );
}

/** Makes a note in a folder, and opens it to be written. */
export function NewNote({ folder }: { readonly folder: string }): ReactNode {
  const [isAsking, setAsking] = useFileForm({ kind: "new", path: folder });
  if (!isAsking) {
    return (
      <Button look="plain" onClick={() => setAsking(true)}>
        <Icon name="pencil" />
        {texts.write.newNote}
      </Button>
    );
  }
  return <NewNoteForm folder={folder} onCancel={() => setAsking(false)} />;
}

function NewNoteForm({
  folder,
  onCancel,
}: {
  readonly folder: string;
  readonly onCancel: () => void;
}): ReactNode {
  const { create, problem } = useCreate();
  return (
    <>
      <PathForm
        label={texts.write.newName}
        start=""
        submit={texts.write.newNote}
        onCancel={onCancel}
        onSubmit={(name) => create(`${folder}${/\.md$/iu.test(name) ? name : `${name}.md`}`)}
      />
      {problem}
    </>
  );
}

/** A note that is not there: it may be made. */
export function CreateMissing({ path }: { readonly path: string }): ReactNode {
  const { create, problem } = useCreate();
  return (
    <>
      <Button look="solid" className="mt-4" onClick={() => create(path)}>
        <Icon name="pencil" />
        {texts.write.create}
      </Button>
      {problem}
    </>
  );
}

function useCreate(): { create: (path: string) => void; problem: ReactNode } {
  const { router } = useServices();
  const [problem, setProblem] = useState<RequestProblem | null>(null);
  const create = async (path: string): Promise<void> => {
    try {
      await createNote(path);
      router.go(editAddress(path));
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return {
    create: (path) => void create(path),
    problem:
      problem === null ? null : (
        <p role="alert" className="w-full text-sm text-danger">
          {problem.message}
        </p>
      ),
  };
}
