import type { CallersVault, VaultWriter } from "../../vault/vault.ts";

/** Changes a vault as the tools do, without their rules. Each returns the id of its history entry. */
async function changing(
  vault: CallersVault,
  call: string,
  batch: string | null,
  work: (change: VaultWriter) => Promise<unknown>,
): Promise<string> {
  const { id } = await vault.change({ actor: "test", call, batch }, work);
  if (id === null) throw new Error(`${call} changed nothing`);
  return id;
}

export async function create(
  vault: CallersVault,
  path: string,
  content: string | Buffer,
  batch: string | null = null,
): Promise<string> {
  return changing(vault, "create", batch, async ({ writer }) =>
    writer.create(path, Buffer.from(content)),
  );
}

/** Gives a file new content through `update`, which keeps only the difference when the file is large. */
export async function update(
  vault: CallersVault,
  path: string,
  content: string | Buffer,
  batch: string | null = null,
): Promise<string> {
  return changing(vault, "update", batch, async (change) =>
    change.writer.update(await change.readWhole(path), Buffer.from(content)),
  );
}

/** Puts `inserted` in the place of `removed` bytes at `at`, through `splice`. */
export async function splice(
  vault: CallersVault,
  path: string,
  part: { at: number; removed: number; inserted: string; headBytes: number },
  batch: string | null = null,
): Promise<string> {
  return changing(vault, "splice", batch, async (change) => {
    const seen = await change.readWhole(path);
    await change.writer.splice(seen, {
      at: part.at,
      removed: seen.bytes.subarray(part.at, part.at + part.removed),
      inserted: Buffer.from(part.inserted),
    });
  });
}

export async function move(
  vault: CallersVault,
  from: string,
  to: string,
  batch: string | null = null,
): Promise<string> {
  return changing(vault, "move", batch, async (change) => change.writer.move(from, to));
}

export async function remove(
  vault: CallersVault,
  path: string,
  batch: string | null = null,
): Promise<string> {
  return changing(vault, "remove", batch, async (change) => change.writer.remove(path));
}

export async function makeFolder(vault: CallersVault, path: string): Promise<void> {
  await vault.change({ actor: "test", call: "folder", batch: null }, async (change) =>
    change.makeFolder(path),
  );
}

/** Takes back an entry or a batch; returns the id of the undo. */
export async function undo(
  vault: CallersVault,
  id: string,
  { force = false } = {},
): Promise<string> {
  const done = await vault.undo(id, { actor: "test", force });
  if (done.id === null) throw new Error(`undoing ${id} changed nothing`);
  return done.id;
}

/** The whole log, newest first, as plain values to compare. */
export async function logOf(vault: CallersVault): Promise<unknown[]> {
  return vault.log({ path: null, limit: 1000 });
}
