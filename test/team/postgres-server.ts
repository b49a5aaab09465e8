import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const INSTALLED = "/usr/lib/postgresql";
const WAIT = 100;
const MOST_WAITS = 600;

/** Where the programs of the newest PostgreSQL are; installs Debian's when there is none. */
function programs(): string {
  const found = newest();
  if (found !== null) return found;
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "postgresql"]])
    execFileSync("apt-get", args, { stdio: "inherit" });
  const installed = newest();
  if (installed === null) throw new Error(`PostgreSQL was installed, but not in ${INSTALLED}`);
  return installed;
}

/** One of the programs of that PostgreSQL: `pg_dump`. */
export function postgresProgram(name: string): string {
  return path.join(programs(), name);
}

function newest(): string | null {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const places = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => path.join(INSTALLED, version, "bin"));
  return places.find((place) => existsSync(path.join(place, "postgres"))) ?? null;
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package made. */
function serverUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const idOf = (flag: string): number =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }).trim());
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A PostgreSQL of our own: its data and its socket are in a temporary folder, and it listens to nothing else. */
export class PostgresServer {
  readonly #programs = programs();
  readonly #user = serverUser();
  readonly #folder: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | null = null;

  /** @param settings for its command line: `fsync=off` */
  constructor(settings: readonly string[]) {
    this.#settings = settings;
    this.#folder = mkdtempSync(path.join(tmpdir(), "coffre-postgres-"));
    if (this.#user !== null) chownSync(this.#folder, this.#user.uid, this.#user.gid);
    const options = ["--pgdata", this.#data, "--username", "postgres", "--auth", "trust"];
    // An order by language, as many servers have: that of our paths must not depend on it.
    const language = ["--locale-provider", "icu", "--icu-locale", "fr", "--locale", "C.UTF-8"];
    const made = spawnSync(
      path.join(this.#programs, "initdb"),
      [...options, ...language, "--encoding", "UTF8", "--no-sync"],
      { ...this.#user, cwd: this.#folder, encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }

  get #data(): string {
    return path.join(this.#folder, "data");
  }

  /** @param database `postgres` is always there */
  url(database: string): string {
    return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(this.#folder)}`;
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const settings = [
      "listen_addresses=",
      `unix_socket_directories=${this.#folder}`,
      "max_connections=60",
      ...this.#settings,
    ];
    const child = spawn(
      path.join(this.#programs, "postgres"),
      ["-D", this.#data, ...settings.flatMap((setting) => ["-c", setting])],
      { ...this.#user, cwd: this.#folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    this.#process = child;
    const said: string[] = [];
    child.stderr?.on("data", (text: Buffer) => said.push(text.toString()));
    for (let waits = 0; waits < MOST_WAITS; waits += 1) {
      if (child.exitCode !== null) throw new Error(`postgres ended: ${said.join("")}`);
      if (this.#isReady()) return;
      await sleep(WAIT);
    }
    throw new Error(`postgres does not answer: ${said.join("")}`);
  }

  #isReady(): boolean {
    const args = ["--host", this.#folder, "--username", "postgres", "--quiet"];
    return spawnSync(path.join(this.#programs, "pg_isready"), args).status === 0;
  }

  /** @param how `fast` ends its connections; `immediate` stops as after a power cut, and it recovers at the next start */
  async stop(how: "fast" | "immediate" = "fast"): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    this.#process = null;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    if (child.exitCode !== null) return;
    child.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await ended;
  }

  /** Stops it, and removes all it has. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
