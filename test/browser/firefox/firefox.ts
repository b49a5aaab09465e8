import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { afterAll, beforeAll, onTestFinished } from "vitest";
import { z } from "zod";

import { Bidi } from "./bidi.ts";
import { FirefoxPage } from "./firefox-page.ts";

/** As the script that runs these tests installs it. */
const EXECUTABLE = "/usr/bin/firefox-esr";

/** Nothing that Firefox does by itself: no updates, no reports, no first pages. */
const PREFERENCES = {
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.homepage": "about:blank",
  "datareporting.policy.dataSubmissionEnabled": false,
  "intl.accept_languages": "en-GB, en",
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
  "ui.prefersReducedMotion": 1,
};

interface Running {
  readonly bidi: Bidi;
  /** By the context they were said in. */
  readonly complaints: Map<string, string[]>;
  readonly asked: Map<string, string[]>;
}

let running: Running | null = null;

/** One Firefox for the tests of a file. */
export function useFirefox(): void {
  let child: ChildProcess | null = null;
  const folder = mkdtempSync(path.join(tmpdir(), "coffre-firefox-"));
  beforeAll(async () => {
    const lines = Object.entries(PREFERENCES).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    writeFileSync(path.join(folder, "user.js"), lines.join(""));
    const args = ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"];
    child = spawn(EXECUTABLE, args, {
      env: { PATH: process.env["PATH"], HOME: folder, LANG: "C.UTF-8" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const bidi = await Bidi.connect(`${await addressOf(child)}/session`);
    await bidi.send("session.new", {
      capabilities: { alwaysMatch: { unhandledPromptBehavior: { default: "dismiss" } } },
    });
    running = { bidi, complaints: new Map(), asked: new Map() };
    await listen(running);
  }, 120_000);
  afterAll(async () => {
    if (child !== null && child.exitCode === null) {
      const ended = once(child, "close");
      child.kill("SIGKILL");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
}

/** Resolves with what it prints when it can be driven. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stderr?.on("data", (data: Buffer) => {
    said += data.toString();
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/u.exec(said) ?? [];
    if (address !== undefined) resolve(address);
  });
  child.on("close", () => reject(new Error(`Firefox ended: ${said}`)));
  return promise;
}

const LogEntry = z.object({
  level: z.string(),
  text: z.string().nullable(),
  source: z.object({ context: z.string().optional() }),
});
const Request = z.object({
  context: z.string().nullable(),
  request: z.object({ url: z.string() }),
});

async function listen({ bidi, complaints, asked }: Running): Promise<void> {
  bidi.on("log.entryAdded", (params) => {
    const { level, text, source } = LogEntry.parse(params);
    if (level === "error") complaints.get(source.context ?? "")?.push(text ?? "");
  });
  bidi.on("network.beforeRequestSent", (params) => {
    const { context, request } = Request.parse(params);
    asked.get(context ?? "")?.push(request.url);
  });
  await bidi.send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
}

export interface FirefoxVisit {
  readonly page: FirefoxPage;
  /** Errors of scripts. */
  readonly complaints: readonly string[];
  /** Every address that was asked for. */
  readonly asked: readonly string[];
}

const UserContext = z.object({ userContext: z.string() });
const Context = z.object({ context: z.string() });

/** A person with a Firefox of their own, who comes in by a link. */
export async function visitFirefox(link: string): Promise<FirefoxVisit> {
  if (running === null) throw new Error("no Firefox runs");
  const { bidi } = running;
  const { userContext } = UserContext.parse(await bidi.send("browser.createUserContext"));
  onTestFinished(async () => void (await bidi.send("browser.removeUserContext", { userContext })));
  const made = await bidi.send("browsingContext.create", { type: "tab", userContext });
  const { context } = Context.parse(made);
  const [complaints, asked]: [string[], string[]] = [[], []];
  running.complaints.set(context, complaints);
  running.asked.set(context, asked);
  const viewport = { width: 1280, height: 800 };
  await bidi.send("browsingContext.setViewport", { context, viewport });
  const page = new FirefoxPage(bidi, context);
  await page.goto(link);
  await page.waitFor("textarea");
  return { page, complaints, asked };
}
