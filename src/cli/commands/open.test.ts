import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it, onTestFinished } from "vitest";

import { askAt } from "../../server/testing/page.ts";
import { startChild, type Child } from "../../testing/processes/child.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import {
  field,
  mainFile,
  startService,
  temporaryPlace,
  type TemporaryPlace,
} from "../testing/cli.ts";

const FILES = { "a.md": "The pump in the cellar\n" };

/** Runs a command with programs of the system replaced by those in `bin`. */
function start(argv: readonly string[], { root, state }: TemporaryPlace, bin: string): Child {
  const options = ["--vault", root, "--state", state];
  const command = ["/usr/bin/env", `PATH=${bin}`];
  const child = startChild(pathToFileURL(mainFile), [...argv, ...options], command);
  onTestFinished(async () => child.kill());
  return child;
}

async function serve(place: TemporaryPlace, bin: string, ...more: string[]): Promise<Child> {
  const child = start(["serve", "--port", "0", ...more], place, bin);
  await child.printed("\n");
  return child;
}

/** A folder with a browser that notes what it is asked to open. */
function browser(): { readonly bin: string; readonly opened: () => string } {
  const bin = temporaryFolder();
  const log = path.join(bin, "log");
  const file = path.join(bin, process.platform === "darwin" ? "open" : "xdg-open");
  writeFileSync(file, `#!/bin/sh\necho "$1" >> '${log}'\n`);
  chmodSync(file, 0o755);
  return { bin, opened: () => readFileSync(log, "utf8").trim() };
}

/** Whether a link lets in. */
async function statusOf(link: string): Promise<number> {
  const { port, pathname, search } = new URL(link);
  return (await askAt(Number(port), pathname + search)).status;
}

describe("coffre open", () => {
  it("opens the page with a fresh link, which lets in once", async () => {
    const place = temporaryPlace(FILES);
    const { bin, opened } = browser();
    await serve(place, bin);
    const said = await start(["open"], place, bin).finished();
    expect(said).toMatch(/^Opened http:\/\/127\.0\.0\.1:\d+ in the browser\.\n$/u);
    expect(await statusOf(opened())).toBe(303);
    expect(await statusOf(opened())).toBe(401);
  });

  it("prints the link where no browser can be opened", async () => {
    const place = temporaryPlace(FILES);
    const bin = temporaryFolder();
    await serve(place, bin);
    const said = await start(["open"], place, bin).finished();
    expect(said).toMatch(
      /^No browser could be opened here\. This link works once, for 10 minutes:\n/u,
    );
    expect(await statusOf(said.trim().split("\n").at(-1) ?? "")).toBe(303);
    const json: unknown = JSON.parse(await start(["open", "--json"], place, bin).finished());
    expect(json).toMatchObject({ opened: false });
    expect(await statusOf(field(json, "link"))).toBe(303);
  });

  it("finds the only service that runs when no vault is named", async () => {
    const folder = temporaryFolder();
    const root = path.join(folder, "notes");
    mkdirSync(root);
    const bin = temporaryFolder();
    const command = ["/usr/bin/env", `PATH=${bin}`, `HOME=${folder}`, `XDG_STATE_HOME=${folder}`];
    const main = pathToFileURL(mainFile);
    const child = startChild(main, ["serve", "--port", "0", "--vault", root], command);
    onTestFinished(async () => child.kill());
    await child.printed("\n");
    const said = await startChild(main, ["open"], command).finished();
    expect(await statusOf(said.trim().split("\n").at(-1) ?? "")).toBe(303);
  });

  it("is done by serve --open too", async () => {
    const place = temporaryPlace(FILES);
    const { bin, opened } = browser();
    const child = await serve(place, bin, "--open");
    child.process.kill("SIGTERM");
    const said = await child.finished();
    expect(said).toContain(`The page is at ${new URL(opened()).origin}.\n`);
    expect(said).not.toContain("/enter");
  });

  it("is refused when no service runs, or one that has no page", async () => {
    const place = temporaryPlace(FILES);
    const none = await place.run(["open"]);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain("Start one with: coffre serve --open");
    await startService(place);
    const pageless = await place.run(["open"]);
    expect(pageless.code).toBe(1);
    expect(pageless.stderr).toContain("Start the page: coffre serve");
  });
});
