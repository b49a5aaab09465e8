import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Where Debian's package puts it. */
const NGINX = "/usr/sbin/nginx";

/** The program; installs Debian's package when it is missing. */
function program(): string {
  if (spawnSync(NGINX, ["-v"]).status === 0) return NGINX;
  for (const args of [["update"], ["install", "--yes", "--no-install-recommends", "nginx-light"]])
    execFileSync("apt-get", args, { stdio: "inherit" });
  return NGINX;
}

const EXAMPLE = path.join(import.meta.dirname, "..", "..", "examples", "team", "nginx.conf");

/** The configuration that people are given, for ports of this machine, without a certificate, and with files of its own. */
function nginxConfig(folder: string, port: number, replicas: readonly number[]): string {
  const given = readFileSync(EXAMPLE, "utf8");
  const [line = ""] = /^ *server 127\.0\.0\.1:4117.*$/mu.exec(given) ?? [];
  const servers = replicas.map((each) => line.replace("4117", String(each))).join("\n");
  const site = given
    .replaceAll(line, servers)
    .replaceAll(/^ *server 127\.0\.0\.1:4118.*\n/gmu, "")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replace("/var/log/nginx/coffre.log", path.join(folder, "access.log"))
    .replaceAll(/^ *(?:server_name|ssl_).*\n/gmu, "");
  return `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log warn;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/a;
  uwsgi_temp_path ${folder}/b; scgi_temp_path ${folder}/c;
${site}
}
`;
}

/** An nginx of our own in front of replicas. */
export class Proxy {
  readonly address: string;
  readonly #folder = mkdtempSync(path.join(tmpdir(), "coffre-nginx-"));
  readonly #process: ChildProcess;

  constructor(port: number, replicas: readonly number[]) {
    const nginx = program();
    this.address = `http://127.0.0.1:${port}`;
    const config = path.join(this.#folder, "nginx.conf");
    writeFileSync(config, nginxConfig(this.#folder, port, replicas));
    this.#process = spawn(nginx, ["-p", this.#folder, "-c", config], {
      stdio: ["ignore", "inherit", "inherit"],
    });
  }

  async started(): Promise<void> {
    for (;;) {
      const answer = await fetch(`${this.address}/healthz`).catch(() => null);
      if (answer?.ok === true) return;
      if (this.#process.exitCode !== null) throw new Error("nginx did not start");
      await sleep(50);
    }
  }

  /** What it logged of requests; the last may be missing until it has ended. */
  get log(): string {
    return readFileSync(path.join(this.#folder, "access.log"), "utf8");
  }

  async end(): Promise<void> {
    const ended = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    if (this.#process.exitCode === null) await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
