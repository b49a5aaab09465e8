import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";

import { useChromium, visit } from "./chromium.ts";
import { startService } from "./service.ts";
import { violationsIn } from "./violations.ts";

useChromium();

const Names = z.array(z.string());

/** Resolves when the browser has the page's own files. */
async function untilKept(page: Page): Promise<void> {
  await expect
    .poll(async () => page.evaluate("navigator.serviceWorker.controller !== null"), {
      timeout: 20_000,
    })
    .toBe(true);
}

/** Everything that the browser keeps for the page, with its text. */
async function keptTexts(page: Page): Promise<string[]> {
  return Names.parse(
    await page.evaluate(`(async () => {
      const found = [];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          const response = await cache.match(request);
          found.push(new URL(request.url).pathname + "\\n" + (await response.text()));
        }
      }
      return found;
    })()`),
  );
}

/** Shares as a browser does with what the manifest says: it sends a form to the page's address. */
async function share(
  page: Page,
  fields: object,
  file?: { name: string; text: string },
): Promise<void> {
  await page.evaluate(`{
    const form = document.createElement("form");
    Object.assign(form, { action: "/share", method: "post", enctype: "multipart/form-data", hidden: true });
    for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
      form.append(Object.assign(document.createElement("input"), { name, value }));
    }
    const file = ${JSON.stringify(file ?? null)};
    if (file !== null) {
      const input = Object.assign(document.createElement("input"), { type: "file", name: "file" });
      const given = new DataTransfer();
      given.items.add(new File([file.text], file.name, { type: "text/plain" }));
      input.files = given.files;
      form.append(input);
    }
    document.body.append(form);
    form.submit();
  }`);
}

describe("the page as an app", () => {
  it.each([
    ["en-GB", "Search", "en"],
    ["fr-FR", "Rechercher", "fr"],
  ])("can be installed, and tells other apps what to share (%s)", async (locale, search, lang) => {
    const service = await startService();
    const { page, context, complaints } = await visit(service.link, { locale });
    await untilKept(page);
    const session = await context.newCDPSession(page);
    const { errors, data = "{}" } = await session.send("Page.getAppManifest");
    expect(errors).toEqual([]);
    expect(JSON.parse(data)).toMatchObject({
      lang,
      display: "standalone",
      shortcuts: [{ name: search, url: "/search" }, {}],
      share_target: { action: "/share", method: "POST" },
    });
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // A window without a profile, as tests have, is the one thing in the way.
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(["in-incognito"]);
    expect(complaints).toEqual([]);
  });

  it.each([
    ["en-GB", "The service is away.", "Edit"],
    ["fr-FR", "Le service est absent.", "Modifier"],
  ])(
    "says that the service is away, shows no note, and goes on by itself (%s)",
    async (locale, away, edit) => {
      const secret = "The key is under the pot.";
      const service = await startService({ files: { "plan.md": `# Plan\n\n${secret}\n` } });
      const { page } = await visit(service.link, { locale });
      await untilKept(page);
      const address = `${service.address}/file/vault/plan.md`;
      await page.goto(address);
      await page.getByText(secret).waitFor();
      await service.stop();
      await page.reload();
      await page.getByRole("heading", { name: away }).waitFor();
      expect(await page.evaluate("document.documentElement.lang")).toBe(locale.slice(0, 2));
      expect(await page.locator("body").textContent()).not.toContain(secret);
      expect(await violationsIn(page)).toEqual([]);
      const kept = await keptTexts(page);
      expect(kept.filter((text) => text.startsWith("/assets/")).length).toBe(kept.length);
      expect(kept.filter((text) => text.includes(secret) || text.includes("plan.md"))).toEqual([]);
      await service.start();
      await page.getByText(secret).waitFor();
      await page.getByRole("button", { name: edit }).waitFor();
    },
  );

  it("opens what is loaded later when the service went away after the first view", async () => {
    const service = await startService({ files: { "plan.md": "# Plan\n" } });
    const { page } = await visit(service.link);
    await untilKept(page);
    await page.goto(`${service.address}/file/vault/plan.md`);
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await service.stop();
    await page.keyboard.press("ControlOrMeta+p");
    await page.getByPlaceholder("What do you want to do?").fill("history");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "History" }).waitFor();
    await expect
      .poll(async () =>
        page.evaluate(`(async () => {
          const names = await (await caches.open((await caches.keys())[0])).keys();
          const found = names.find(({ url }) => url.includes("/assets/code-mirror"));
          return (await fetch(found.url)).status;
        })()`),
      )
      .toBe(200);
  });

  it("puts what other apps share into the input, as other people's words, and sends it when told", async () => {
    const service = await startService({ files: { "plan.md": "# Plan\n" } });
    const { page } = await visit(service.link);
    await untilKept(page);
    await share(
      page,
      { title: "Kilns", text: "A long read", url: "https://kilns.example/a" },
      { name: "offer.txt", text: "A kiln for 2,400." },
    );
    const input = page.getByPlaceholder("What happened?");
    await expect
      .poll(async () => input.inputValue())
      .toBe("Kilns\n\nA long read\n\nhttps://kilns.example/a");
    await page.getByText("offer.txt").waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    expect((await keptTexts(page)).every((text) => text.startsWith("/assets/"))).toBe(true);
    // A reload does not make them the person's own.
    await page.reload();
    await page.getByText(/^Shared from another app/u).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    const sent = page.waitForRequest((request) => request.url().endsWith("/api/update"));
    await page.getByRole("button", { name: "Send" }).click();
    expect((await sent).postData()).toMatch(/name="untrusted"\s+true/u);
    await page.getByText("Waits in the inbox").waitFor();
    await expect.poll(() => service.names("inbox").length).toBeGreaterThan(0);
    const [item = ""] = service.names("inbox");
    const kept = (): string =>
      service
        .names(`inbox/${item}`)
        .map((name) => service.read(`inbox/${item}/${name}`))
        .join("\n");
    await expect.poll(kept).toContain("https://kilns.example/a");
    await expect.poll(kept).toContain("untrusted: true");
    expect(await page.getByText(/^Shared from another app/u).count()).toBe(0);
  });

  it("keeps what is shared while the service is away", async () => {
    const service = await startService({ files: { "plan.md": "# Plan\n" } });
    const { page } = await visit(service.link);
    await untilKept(page);
    await service.stop();
    await share(page, { text: "While you were away." });
    await page.getByRole("heading", { name: "The service is away." }).waitFor();
    await service.start();
    await expect
      .poll(async () => page.getByPlaceholder("What happened?").inputValue(), { timeout: 20_000 })
      .toBe("While you were away.");
  });

  it("asks to share once more where nothing could take it", async () => {
    const service = await startService({ files: { "plan.md": "# Plan\n" } });
    const { page } = await visit(service.link, { serviceWorkers: "block" });
    await share(page, { text: "Nobody took this." });
    await page.getByText("Nothing arrived here.").waitFor();
    expect(await page.getByPlaceholder("What happened?").inputValue()).toBe("");
  });

  it("says where HTTPS is missing", async () => {
    const service = await startService({ files: { "plan.md": "# Plan\n" } });
    const { page } = await visit(service.link);
    // As a browser reports an address of another machine without HTTPS.
    await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
    await page.reload();
    await page.getByRole("treeitem").first().waitFor();
    await page.keyboard.press("ControlOrMeta+p");
    await page.getByPlaceholder("What do you want to do?").fill("install");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Install as an app" });
    await dialog.waitFor();
    expect(await dialog.textContent()).toContain("only over HTTPS");
  });
});
