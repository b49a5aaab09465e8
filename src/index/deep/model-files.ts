import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

import type { ModelNames, ModelRole } from "./deep-settings.ts";

/** A model, and its file on this machine; null when it is not downloaded. */
export interface ModelFile {
  readonly role: ModelRole;
  readonly name: string;
  readonly file: string | null;
  readonly bytes: number | null;
}

const ROLES: readonly ModelRole[] = ["embed", "rerank", "generate"];

/** The models with their files. */
export function modelFiles(models: ModelNames, folder: string): ModelFile[] {
  return ROLES.map((role) => {
    const file = localFile(models[role], folder);
    const bytes = file === null ? null : statSync(file).size;
    return { role, name: models[role], file, bytes };
  });
}

/** The file of a model; null when it is not downloaded. */
export function localFile(name: string, folder: string): string | null {
  const remote = parseRemote(name);
  if (remote === null) {
    const file = path.resolve(folder, name);
    return existsSync(file) ? file : null;
  }
  if (!existsSync(folder)) return null;
  // QMD names them `hf_user_file` or `hf_user_repository_file`, by rules of its own.
  const found = readdirSync(folder).find(
    (entry) =>
      entry === remote.file || (entry.startsWith("hf_") && entry.endsWith(`_${remote.file}`)),
  );
  return found === undefined ? null : path.join(folder, found);
}

export interface RemoteModel {
  readonly user: string;
  readonly repository: string;
  readonly file: string;
}

/** Reads `hf:user/repository/file.gguf`; null for anything else, which is a path. */
export function parseRemote(name: string): RemoteModel | null {
  const [, user, repository, file] = /^hf:([^/]+)\/([^/]+)\/([^/]+\.gguf)$/iu.exec(name) ?? [];
  if (user === undefined || repository === undefined || file === undefined) return null;
  return { user, repository, file };
}

/** The name QMD gives the file, so that it finds it too. */
export function localName({ user, file }: RemoteModel): string {
  return `hf_${user}_${file}`;
}
