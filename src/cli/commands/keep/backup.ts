import { createHash, type Hash } from "node:crypto";
import { existsSync, realpathSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";

import { bytesOf, decrypted, encrypted } from "../../../backup/encryption.ts";
import { checkArchive, type Restored } from "../../../backup/restore.ts";
import { ExpectedError, explainErrno } from "../../../errors.ts";
import { formatBytes } from "../../../text/tokens.ts";
import { arg, defineCommand } from "../../table/command.ts";
import type { Screen } from "../../output/screen.ts";
import { passphraseOf, passphraseOption } from "../../vault/passphrase.ts";
import { placeOf } from "../../vault/place.ts";
import { withVault } from "../../vault/with-vault.ts";

export const backup = defineCommand({
  name: "backup",
  summary: "Put the vault, its history and settings into one encrypted file",
  positionals: {
    file: arg.one("FILE", "The file to write; it must not exist", { completes: "file" }),
  },
  options: { "passphrase-file": passphraseOption },
  details:
    "Works while the service runs, and checks what it wrote. Without the passphrase nobody can open the file, you neither. It is in the age format: age -d FILE | tar x opens it without coffre. Index, vectors, log and token are left out: they are made again.",
  examples: ["coffre backup ~/backups/notes.age", "coffre backup notes.age --passphrase-file key"],
  synonyms: ["save", "archive"],
  run: async (input, context) => {
    const { screen } = context;
    const place = placeOf(context);
    const file = checkedTarget(input.one("file"), place.root);
    const passphrase = await passphraseOf(input.text("passphrase-file"), context, true);
    await withVault(context, "long", async ({ client }) => {
      try {
        const written = await write(client.backup(), file, passphrase, screen);
        screen.progress(null);
        screen.show({ file, ...written }, () => {
          const { files, bytes, size } = written;
          return `${file}: ${files} files, ${formatBytes(bytes)}, encrypted in ${formatBytes(size)} and checked.`;
        });
      } finally {
        screen.progress(null);
      }
    });
  },
});

function checkedTarget(given: string, root: string): string {
  const file = path.resolve(given);
  if (existsSync(file))
    throw new ExpectedError("already_exists", `${file} exists; choose another name.`);
  let folder: string;
  try {
    folder = realpathSync.native(path.dirname(file));
  } catch (error) {
    throw explainErrno(error, path.dirname(file));
  }
  if (folder !== root && !folder.startsWith(root + path.sep)) return file;
  throw new ExpectedError(
    "invalid_argument",
    `${file} lies inside the vault, which would then hold its own backup; choose a place outside it.`,
  );
}

/** Has its name only when all of it is on the disk and was read again. */
async function write(
  archive: AsyncIterable<Uint8Array>,
  file: string,
  passphrase: string,
  screen: Screen,
): Promise<Restored & { readonly size: number }> {
  const temporary = `${file}.partial-${process.pid}`;
  const [sent, found] = [createHash("sha256"), createHash("sha256")];
  try {
    const handle = await open(temporary, "wx", 0o600);
    let size = 0;
    try {
      for await (const chunk of encrypted(counted(archive, sent, screen), passphrase)) {
        await handle.writeFile(chunk);
        size += chunk.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    screen.progress("Checking what was written");
    const plain = hashed(decrypted(bytesOf(temporary), passphrase), found);
    const read = await checkArchive(plain);
    if (sent.digest("hex") !== found.digest("hex")) throw unlike(file);
    renameSync(temporary, file);
    return { ...read, size };
  } catch (error) {
    rmSync(temporary, { force: true });
    throw explainErrno(error, file);
  }
}

async function* counted(
  archive: AsyncIterable<Uint8Array>,
  hash: Hash,
  screen: Screen,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of hashed(archive, hash)) {
    yield chunk;
    bytes += chunk.length;
    screen.progress(`Backing up: ${formatBytes(bytes)}`);
  }
}

async function* hashed(bytes: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

function unlike(file: string): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `${file} was written, and what was read of it afterwards is not the same: its disk may be failing. It was removed.`,
  );
}
