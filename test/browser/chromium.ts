import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";

import { launchChromium } from "./launch.ts";

let browser: Browser | null = null;

/** One browser for the tests of a file. */
export function useChromium(): void {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => browser?.close());
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the page complained of: errors of scripts, and what its policy forbade. */
  readonly complaints: readonly string[];
}

export interface VisitOptions extends BrowserContextOptions {
  /** Of somebody who is logged in already. */
  readonly cookies?: Parameters<BrowserContext["addCookies"]>[0];
}

/** A new window of a person who comes in by a link. */
export async function visit(link: string, options: VisitOptions = {}): Promise<Visit> {
  const visited = await newWindow(options);
  await visited.page.goto(link);
  await visited.page.locator("textarea").waitFor();
  return visited;
}

/** A new window of a browser that has nothing of anybody else. */
export async function newWindow({ cookies = [], ...options }: VisitOptions = {}): Promise<Visit> {
  if (browser === null) throw new Error("no browser runs");
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    ...options,
  });
  onTestFinished(async () => context.close());
  await context.addCookies(cookies);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return { page, context, complaints };
}
