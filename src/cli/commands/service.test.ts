import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { temporaryPlace, type Ran, type TemporaryPlace } from "../testing/cli.ts";

interface Machine {
  readonly unit: string;
  readonly called: () => string[];
  readonly service: (...argv: string[]) => Promise<Ran>;
}

/** A home of its own, and a `systemctl` that writes down how it is called and ends with `status`. */
function machineWith(place: TemporaryPlace, status: number): Machine {
  const home = path.join(path.dirname(place.root), "home");
  const bin = path.join(home, "bin");
  mkdirSync(bin, { recursive: true });
  const calls = path.join(home, "calls");
  writeFileSync(
    path.join(bin, "systemctl"),
    `#!/bin/sh\necho "$@" >> "${calls}"\nexit ${status}\n`,
  );
  chmodSync(path.join(bin, "systemctl"), 0o755);
  const before = process.env["PATH"];
  process.env["PATH"] = `${bin}${path.delimiter}${before}`;
  onTestFinished(() => void (process.env["PATH"] = before));
  return {
    unit: path.join(home, ".config", "systemd", "user"),
    called: () => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : []),
    service: async (...argv) => place.run(["service", ...argv], { environment: { HOME: home } }),
  };
}

it("writes a unit, starts it, and takes both back", async () => {
  const place = temporaryPlace({ "a.md": "x\n" });
  const { unit, called, service } = machineWith(place, 0);
  const installed = await service("install", "--port", "4200");
  expect(installed.stderr).toBe("");
  const file = /^Wrote (\S+)\. The service runs now/u.exec(installed.stdout)?.[1] ?? "";
  expect(path.dirname(file)).toBe(unit);
  const text = readFileSync(file, "utf8");
  expect(text).toContain(
    `"serve" "--vault" "${place.root}" "--state" "${place.state}" "--port" "4200"`,
  );
  expect(called()).toEqual(["--user daemon-reload", `--user enable --now ${path.basename(file)}`]);
  expect((await service("uninstall")).stdout).toContain(`removed ${file}`);
  expect(existsSync(file)).toBe(false);
  expect((await service("uninstall")).stdout).toContain("Nothing to do");
});

it("only shows it when asked to", async () => {
  const place = temporaryPlace({ "a.md": "x\n" });
  const { unit, called, service } = machineWith(place, 0);
  expect((await service("print")).stdout).toContain("[Service]\nExecStart=");
  expect(existsSync(unit)).toBe(false);
  expect(called()).toEqual([]);
});

it("says what to type when the system refuses", async () => {
  const { service } = machineWith(temporaryPlace({ "a.md": "x\n" }), 1);
  const { code, stderr } = await service("install");
  expect(code).toBe(1);
  expect(stderr).toContain(
    "systemctl --user daemon-reload failed. Type it where you are logged in.",
  );
});
