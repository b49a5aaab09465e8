import { existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";

import { bytesOf, decrypted } from "../../../backup/encryption.ts";
import { restoreArchive, type Restored } from "../../../backup/restore.ts";
import { vaultFolder } from "../../../config.ts";
import { ExpectedError, explainErrno } from "../../../errors.ts";
import { formatBytes } from "../../../text/tokens.ts";
import { shellQuote } from "../../system/shell-quote.ts";
import { arg, defineCommand, type CommandContext } from "../../table/command.ts";
import { passphraseOf, passphraseOption } from "../../vault/passphrase.ts";
import { placeIn, type Place } from "../../vault/place.ts";

export const restore = defineCommand({
  name: "restore",
  summary: "Bring back a vault, its history and settings from a backup",
  positionals: {
    file: arg.one("FILE", "What coffre backup wrote", { completes: "file" }),
  },
  options: { "passphrase-file": passphraseOption },
  details:
    "Into an empty folder only, named with --vault; nothing that exists is overwritten. When it cannot be done whole, nothing of it is left. Every file comes back byte for byte, with its mode and time; coffre undo works as before.",
  examples: [
    "coffre restore ~/backups/notes.age --vault ~/notes",
    "coffre restore notes.age --vault ~/new --passphrase-file key",
  ],
  synonyms: ["recover", "unpack"],
  run: async (input, context) => {
    const { screen } = context;
    const file = path.resolve(input.one("file"));
    if (!existsSync(file)) throw new ExpectedError("not_found", `There is no file ${file}.`);
    const passphrase = await passphraseOf(input.text("passphrase-file"), context, false);
    try {
      const { place, ...restored } = await unpack(file, passphrase, context);
      screen.progress(null);
      const { files, bytes, made } = restored;
      screen.show({ vault: place.root, state: place.state, ...restored }, () =>
        [
          `Restored ${files} files, ${formatBytes(bytes)}, of the backup of ${made}, to ${place.root}.`,
          `Serve it with: coffre serve --vault ${shellQuote(place.root)}`,
        ].join("\n"),
      );
    } finally {
      screen.progress(null);
    }
  },
});

async function unpack(
  file: string,
  passphrase: string,
  context: CommandContext,
): Promise<Restored & { readonly place: Place }> {
  const folder = path.resolve(vaultFolder(context.named.vault, context.environment));
  const isNew = !existsSync(folder);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw explainErrno(error, folder);
  }
  try {
    const place = placeIn(folder, context);
    const archive = decrypted(bytesOf(file), passphrase);
    const restored = await restoreArchive(archive, place, (files, bytes) =>
      context.screen.progress(`Restoring: ${files} files, ${formatBytes(bytes)}`),
    );
    return { ...restored, place };
  } catch (error) {
    if (isNew) rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}
