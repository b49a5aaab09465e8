import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { temporaryFolder, writeFiles } from "../../src/testing/temporary-vault.ts";
import { Proxy } from "./proxy.ts";
import { freePort, post, Replica, TOKEN } from "./replica.ts";
import { asOwner, emptyDatabase } from "./team-database.ts";

const CHECKOUT = path.join(import.meta.dirname, "..", "..");
const UNIT = "examples/team/coffre@.service";
const ANALYZE = "/usr/bin/systemd-analyze";

function text(file: string): string {
  return readFileSync(path.join(CHECKOUT, file), "utf8");
}

it.runIf(existsSync(ANALYZE))("systemd finds nothing to say of the unit", () => {
  const folder = temporaryFolder();
  writeFiles(folder, { "coffre@.service": text(UNIT) });
  const checked = spawnSync(ANALYZE, ["verify", path.join(folder, "coffre@.service")], {
    encoding: "utf8",
  });
  expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, "", ""]);
});

it("the command of the unit starts a replica, which ends by the signal of the unit", async () => {
  const port = await freePort();
  const line = /^ExecStart=(.+)$/mu.exec(text(UNIT))?.[1] ?? "";
  const [program = "", ...args] = line.replace("%i", String(port)).split(" ");
  const url = await emptyDatabase();
  const PATH = `${path.join(CHECKOUT, "bin")}:${process.env["PATH"]}`;
  const replica = new Replica({ url, port, command: [program, ...args], environment: { PATH } });
  onTestFinished(async () => void (await replica.end("SIGKILL")));
  await replica.started();
  expect((await fetch(`${replica.address}/readyz`)).status).toBe(200);
  expect(text(UNIT)).toContain("KillSignal=SIGTERM");
  expect(await replica.end("SIGTERM")).toBe(0);
});

it("the images start the program that the package names, which has in it what is installed for nobody else", () => {
  const { bin, peerDependencies } = JSON.parse(text("package.json"));
  const started = (file: string): string | undefined =>
    /^(?:CMD| *command:) \["node", "([^"]+)", "serve"/mu.exec(text(file))?.[1];
  expect(started("Dockerfile")).toBe(bin.coffre);
  expect(started("examples/team/compose.yaml")).toBe(bin.coffre);
  // As packages of their own: npm leaves out what the manifest has for developers only.
  const added = /RUN npm install --save-prod --omit=dev.* (pg@\d+) (jose@\d+)$/mu;
  const [, ...packages] = added.exec(text("examples/team/compose.yaml")) ?? [];
  expect(packages).toEqual(
    ["pg", "jose"].map((name) => `${name}@${/\d+/u.exec(peerDependencies[name])?.[0]}`),
  );
});

it("the proxy logs who asked for what, and no secret that stands in an address", async () => {
  const url = await emptyDatabase();
  const [at, atProxy] = [await freePort(), await freePort()];
  const replica = new Replica({ url, port: at, publicUrl: `http://127.0.0.1:${atProxy}` });
  onTestFinished(async () => void (await replica.end("SIGTERM")));
  await replica.started();
  const proxy = new Proxy(atProxy, [at]);
  onTestFinished(async () => proxy.end());
  await proxy.started();
  const code = `cofi_0000000000000000_${"a".repeat(43)}`;
  const headers = { referer: `${proxy.address}/invite?code=${code}` };
  await fetch(`${proxy.address}/invite?code=${code}`, { headers });
  await fetch(`${proxy.address}/login/callback?code=${code}&state=${code}`, { headers });
  await expect
    .poll(() => proxy.log, { timeout: 60_000 })
    .toMatch(/"GET \/invite" \d+ \d+\n(?:.*\n)*.*"GET \/login\/callback"/u);
  expect(proxy.log).not.toContain("cofi_");
});

it("behind the proxy, the audit has the address of who asked, and not one that they made up", async () => {
  const url = await emptyDatabase();
  const [at, atProxy] = [await freePort(), await freePort()];
  const publicUrl = `http://127.0.0.1:${atProxy}`;
  const replica = new Replica({ url, port: at, publicUrl });
  onTestFinished(async () => void (await replica.end("SIGTERM")));
  await replica.started();
  const proxy = new Proxy(atProxy, [at]);
  onTestFinished(async () => proxy.end());
  await proxy.started();
  expect((await post(`${proxy.address}/api/vaults`, { name: "house" })).status).toBe(201);
  // Every address of the loopback network is this machine's: one that is not the proxy's own.
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request(
      `${proxy.address}/v/house/api/tools/write`,
      {
        method: "POST",
        localAddress: "127.0.0.2",
        headers: {
          authorization: `Bearer ${TOKEN}`,
          "content-type": "application/json",
          "x-forwarded-for": "203.0.113.7",
        },
      },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
      },
    );
    asked.once("error", reject);
    asked.end(JSON.stringify({ path: "vault/a.md", content: "# A\n" }));
  });
  expect(status).toBe(200);
  await expect
    .poll(async () => asOwner("SELECT address FROM audit WHERE call = 'write'", url), {
      timeout: 60_000,
    })
    .toEqual([{ address: "127.0.0.2" }]);
});
