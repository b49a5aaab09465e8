import { chmodSync, mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";

import { pino } from "pino";

/** Bytes. A file of the log that is larger becomes the old one, in the place of the one before. */
const LARGEST = 5_000_000;
/** Lines between two looks at the size. */
const BETWEEN_LOOKS = 1000;

/** What happened, for whoever has to find out why: never what a note says, a question asks or a token is. */
export interface Log {
  info(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface LogFile extends Log {
  /** Lines of JSON. */
  readonly file: string;
  close(): void;
}

/** For those who have nothing to write to. */
export const silentLog: Log = { info: () => {}, error: () => {} };

/** The log of the process that owns a vault, in its state folder. Written at once: a killed process loses no line. */
export function openLog(
  state: string,
  { largest = LARGEST, betweenLooks = BETWEEN_LOOKS } = {},
): LogFile {
  const folder = path.join(state, "log");
  const file = path.join(folder, "service.log");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let destination = openFile(file);
  let lines = 0;
  const turnOver = (): void => {
    if (lines % betweenLooks === 0 && statSync(file).size > largest) {
      destination.end();
      renameSync(file, path.join(folder, "service.old.log"));
      destination = openFile(file);
    }
    lines += 1;
  };
  const log = pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    {
      write: (line: string) => {
        turnOver();
        destination.write(line);
      },
    },
  );
  return {
    file,
    info: (facts, message) => log.info(facts, message),
    error: (facts, message) => log.error(facts, message),
    close: () => destination.end(),
  };
}

function openFile(file: string): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest: file, sync: true });
  chmodSync(file, 0o600);
  return destination;
}
