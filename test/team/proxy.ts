import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

/** The configuration of `docs/team.md`, for ports of this machine: one after the other gets a request, and one that is down is left out. */
export function nginxConfig(folder: string, port: number, replicas: readonly number[]): string {
  const servers = replicas.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=1s;`);
  return `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log warn;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/a;
  uwsgi_temp_path ${folder}/b; scgi_temp_path ${folder}/c;
  client_max_body_size 100m;
  upstream coffre { ${servers.join(" ")} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://coffre;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_buffering off;
      proxy_read_timeout 1h;
      proxy_next_upstream error timeout;
    }
  }
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

  async end(): Promise<void> {
    const ended = once(this.#process, "close");
    this.#process.kill("SIGTERM");
    if (this.#process.exitCode === null) await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
