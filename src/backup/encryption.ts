import { createReadStream } from "node:fs";

import { ExpectedError, explainErrno } from "../errors.ts";

/**
 * Encrypts with a passphrase, in the age format (age-encryption.org/v1), which other programs read too: `age -d FILE | tar x`. Chunk by chunk,
 * in bounded memory.
 * @param workFactor the cost of guessing a passphrase, as a power of two; age's own choice when left out
 */
export async function* encrypted(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
  workFactor?: number,
): AsyncGenerator<Uint8Array> {
  // Loaded when needed: most commands encrypt nothing.
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  yield* readAll(await encrypter.encrypt(streamOf(bytes)));
}

/** Decrypts what {@link encrypted} made. Throws `invalid_argument` for another passphrase, or a file that is damaged or no backup. */
export async function* decrypted(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  let plain: ReadableStream<Uint8Array>;
  try {
    plain = await decrypter.decrypt(streamOf(bytes));
  } catch (error) {
    throw new ExpectedError(
      "invalid_argument",
      "The backup does not open: the passphrase is another one, or the file is no backup of coffre. Nothing was changed.",
      { cause: error },
    );
  }
  try {
    yield* readAll(plain);
  } catch (error) {
    throw new ExpectedError(
      "invalid_argument",
      "The backup is damaged or not complete: it was changed or cut since it was written.",
      { cause: error },
    );
  }
}

/** The bytes of a file, which is opened when the first are asked for. */
export async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file)) yield Buffer.from(chunk);
  } catch (error) {
    throw explainErrno(error, file);
  }
}

/** Read when it is asked for, so that only a chunk is held. */
function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await source.next();
      if (next.done === true) controller.close();
      else controller.enqueue(new Uint8Array(next.value));
    },
    cancel: async () => void (await source.return?.()),
  });
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => {});
  }
}
