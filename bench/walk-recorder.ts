/**
 * Preloaded with `--import` into the processes that `walks.ts` starts: records from one SIGUSR2 to the next which source files run and how often
 * the file named `WALK_FILE` is read, and writes that into `WALK_FOLDER`.
 */
import fs, { existsSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const folder = process.env["WALK_FOLDER"];
const watched = process.env["WALK_FILE"];
let reads = 0;

if (folder !== undefined) {
  const session = new Session();
  session.connect();
  let isRecording = false;
  let count = 0;

  const start = (): void => {
    isRecording = true;
    reads = 0;
    session.post("Profiler.enable");
    session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  };
  const stop = (): void => {
    if (!isRecording) return;
    isRecording = false;
    session.post("Profiler.takePreciseCoverage", (error, taken) => {
      if (error !== null) throw error;
      const files = taken.result.filter(({ functions }) =>
        // The first range of a module is its top level, which runs when it is loaded.
        functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0 && ranges[0]?.startOffset !== 0),
      );
      count += 1;
      const urls = files.map(({ url }) => url).filter((url) => url.includes("/src/"));
      const name = path.join(folder, `${process.pid}-${count}`);
      writeFileSync(`${name}.new`, JSON.stringify({ urls, reads }));
      fs.renameSync(`${name}.new`, `${name}.json`);
    });
    session.post("Profiler.stopPreciseCoverage");
  };
  process.on("SIGUSR2", () => (isRecording ? stop() : start()));
  process.on("exit", stop);
  writeFileSync(path.join(folder, `${process.pid}.pid`), "");
  // A process that is started by one that records belongs to the walk from its first line.
  if (existsSync(path.join(folder, "recording"))) start();
}

if (watched !== undefined) {
  const open = new Map<number, boolean>();
  const { openSync, readSync, closeSync } = fs;
  fs.openSync = (...args: Parameters<typeof openSync>) => {
    const fd = openSync(...args);
    if (path.basename(String(args[0])) === watched) open.set(fd, false);
    return fd;
  };
  Object.assign(fs, {
    readSync: (...args: Parameters<typeof readSync>) => {
      if (open.has(args[0])) open.set(args[0], true);
      return readSync(...args);
    },
    closeSync: (fd: number) => {
      if (open.get(fd) === true) reads += 1;
      open.delete(fd);
      closeSync(fd);
    },
  });
  syncBuiltinESMExports();
}
