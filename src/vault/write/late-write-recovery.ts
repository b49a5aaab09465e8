import { mkdirSync, writeFileSync, type BigIntStats } from "node:fs";
import { join } from "node:path";

import { placeOf, type Disk } from "../disk.ts";
import { writeAll } from "../files/bytes.ts";
import { writeAtomically } from "./atomic-write.ts";
import type { LateWrite, LateWrites } from "./late-writes.ts";
import { localTime } from "../../text/local-time.ts";
import { extensionOf, joinPath, nameOf, parentOf } from "../paths.ts";
import { signatureOf } from "../files/version.ts";

/**
 * Applies what another program wrote to a file that we had just replaced: appended text is added to the current file; a whole new text replaces
 * ours when the file did not change since; otherwise it is saved beside it, as `NAME (saved TIME)`.
 */
export async function rescueLateWrite(
  disk: Disk,
  late: LateWrites,
  write: LateWrite,
  now: Date,
): Promise<BigIntStats | null> {
  const current = disk.find(write.path).kind === "file" ? disk.readWhole(write.path) : null;
  if (current !== null) {
    const isOurs = signatureOf(current.located.stat) === signatureOf(write.ours);
    const bytes =
      write.addedAt === null
        ? write.bytes
        : withAdded(current.bytes, write.bytes.subarray(write.addedAt), Number(write.ours.size));
    if (write.addedAt !== null || isOurs) {
      return writeAtomically(disk, late, {
        durable: "all",
        ...placeOf(current.located),
        replaces: current.located,
        fill: async (fd) => writeAll(fd, bytes, 0),
      });
    }
    if (current.bytes.equals(write.bytes)) return current.located.stat;
  }
  await putBeside(disk, late, write, now);
  return null;
}

/** Appended lines go where our version ended: what follows was added later. */
function withAdded(current: Buffer, added: Buffer, oursEnd: number): Buffer {
  const isKnownPlace = current.length >= oursEnd && current[oursEnd - 1] === 0x0a;
  const at = isKnownPlace ? oursEnd : current.length;
  return Buffer.concat([current.subarray(0, at), added, current.subarray(at)]);
}

async function putBeside(
  disk: Disk,
  late: LateWrites,
  { path, bytes }: LateWrite,
  now: Date,
): Promise<void> {
  const extension = extensionOf(path);
  const name = nameOf(path);
  const stem = extension === "" ? name : name.slice(0, -extension.length);
  const time = localTime(now).replaceAll(":", "");
  for (let copy = 0; ; copy += 1) {
    const beside = `${stem} (saved ${time}${copy === 0 ? "" : ` ${copy}`})${extension}`;
    if (disk.lookup(joinPath(parentOf(path), beside)) !== null) continue;
    const { folder } = disk.makeParents(path);
    await writeAtomically(disk, late, {
      durable: "all",
      folder,
      name: beside,
      replaces: null,
      fill: async (fd) => writeAll(fd, bytes, 0),
    });
    return;
  }
}

/** Saves a late write in the state folder, when the vault has no room or gives no permission. */
export function keepOutside(
  state: string,
  { path, bytes }: Pick<LateWrite, "path" | "bytes">,
  now: Date,
): void {
  const folder = join(state, "rescued");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const time = localTime(now).replaceAll(":", "");
  const name = `${time} ${path.replaceAll("/", " ")}`.slice(0, 200);
  writeFileSync(join(folder, name), bytes, { mode: 0o600 });
}
