import { mkdirSync, watch as watchWithNode } from "node:fs";
import path from "node:path";

import { expect, onTestFinished, vi } from "vitest";

import { temporaryFolder, writeFiles, type Files } from "../../testing/temporary-vault.ts";
import { IgnoreRules } from "../../vault/ignore-rules.ts";
import {
  createWatcher,
  type WatchedChanges,
  type Watcher,
  type WatcherOptions,
  type WatchPlace,
} from "../watch/watcher.ts";

/** Long enough for a machine that is busy with something else. */
export const PATIENCE = { timeout: 30_000, interval: 10 };

export interface Scene {
  readonly root: string;
  /** Beside the root: what is here is not watched. */
  readonly outside: string;
  readonly watcher: Watcher;
  /** Everything reported since the start or since the last `clear`. */
  readonly calls: WatchedChanges[];
  readonly seen: Set<string>;
  readonly problems: (string | null)[];
  /** A place under the root. */
  readonly at: (name: string) => string;
  readonly clear: () => void;
  /** Waits until all of these are reported. */
  readonly reported: (...paths: string[]) => Promise<void>;
  /** Waits until all that was done before is reported. */
  readonly settled: () => Promise<void>;
}

export interface SceneOptions extends Partial<Omit<WatcherOptions, "root" | "onProblem">> {
  readonly watch?: WatchPlace;
}

let marks = 0;

/** A folder with these files and a watcher on it, which is not started. */
export function watcherOn(
  files: Files,
  { watch, onChanges, ...options }: SceneOptions = {},
): Scene {
  const folder = temporaryFolder();
  const root = path.join(folder, "notes");
  const outside = path.join(folder, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  writeFiles(root, files);
  const calls: WatchedChanges[] = [];
  const seen = new Set<string>();
  const problems: (string | null)[] = [];
  const watcher = createWatcher(
    {
      ignore: new IgnoreRules(root),
      onIgnoreFile: () => {},
      ...options,
      root,
      onChanges: (changes) => {
        calls.push(changes);
        for (const each of changes.paths) seen.add(each);
        onChanges?.(changes);
      },
      onProblem: (problem) => problems.push(problem),
    },
    watch,
  );
  onTestFinished(() => watcher.close());
  const clear = (): void => {
    calls.length = 0;
    seen.clear();
  };
  const reported = async (...paths: string[]): Promise<void> => {
    await vi.waitFor(() => expect([...seen]).toEqual(expect.arrayContaining(paths)), PATIENCE);
  };
  const settled = async (): Promise<void> => {
    marks += 1;
    const mark = `mark-${marks}.md`;
    writeFiles(root, { [mark]: "" });
    await reported(mark);
    seen.delete(mark);
  };
  const at = (name: string): string => path.join(root, name);
  return { root, outside, watcher, calls, seen, problems, at, clear, reported, settled };
}

/** {@link watcherOn}, started. */
export async function watched(files: Files, options: SceneOptions = {}): Promise<Scene> {
  const scene = watcherOn(files, options);
  await scene.watcher.start();
  return scene;
}

/** Node's `watch` with faults to switch on. */
export interface FaultyWatch {
  readonly watch: WatchPlace;
  /** How many more watches are given before the error comes. */
  left: number;
  errno: string;
  /** Events are lost, and only their names are kept, here. */
  isDeaf: boolean;
  readonly lost: Set<string | null>;
  /** Makes each watch so far fail. */
  readonly breakAll: (errno: string) => void;
}

export function faultyWatch(): FaultyWatch {
  const breaking: ((error: Error) => void)[] = [];
  const faulty: FaultyWatch = {
    left: Number.POSITIVE_INFINITY,
    errno: "ENOSPC",
    isDeaf: false,
    lost: new Set(),
    watch: (place, options, onEvent) => {
      if (faulty.left <= 0) throw systemError(faulty.errno);
      faulty.left -= 1;
      const watch = watchWithNode(place, options, (type, name) => {
        if (faulty.isDeaf) faulty.lost.add(name);
        else onEvent(type, name);
      });
      breaking.push((error) => watch.emit("error", error));
      return watch;
    },
    breakAll: (errno) => {
      for (const each of breaking) each(systemError(errno));
    },
  };
  return faulty;
}

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the test wants it`), { code });
}
