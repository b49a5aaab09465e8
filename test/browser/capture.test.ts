import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { docxFile } from "../../src/ingest/testing/office-files.ts";
import type { ScriptedRequest, ScriptedTurn } from "../../src/testing/models/scripted-model.ts";
import { demoImage } from "../../src/testing/demo-image.ts";
import { useChromium, visit } from "./chromium.ts";
import { demoTurn, NOTE, QUESTION } from "./demo-model.ts";
import { startService } from "./service.ts";

useChromium();

const NOTE_INPUT = "What happened? What should be remembered?";

/** The model of the demo, which says its last words only when it may. */
function endingAfter(promise: Promise<void>): (request: ScriptedRequest) => ScriptedTurn {
  return (request) => {
    const turn = demoTurn(request);
    return turn.text === undefined ? turn : { ...turn, until: promise };
  };
}

describe("adding to the vault", () => {
  it("without a model: what is sent waits in the inbox, is answered there, and is filed", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page
      .getByPlaceholder(NOTE_INPUT)
      .fill("The glaze for the opening pots is the grey-green one.");
    await page.keyboard.press("ControlOrMeta+Enter");
    const updates = page.getByRole("region", { name: "Updates" });
    await updates.getByText("Waits in the inbox", { exact: true }).waitFor();
    await updates.getByRole("link", { name: "Open in the inbox" }).click();
    await page.getByRole("heading", { name: /What I found/u }).waitFor();
    await page.getByRole("button", { name: "Answer" }).click();
    await page.getByText("Answering").waitFor();
    await page.getByPlaceholder("Your answer").fill("sail-loft");
    await page.getByRole("button", { name: "Send" }).click();
    await updates.getByText("Filed", { exact: true }).waitFor();
    await page.getByText("This item is not in the inbox any more.").waitFor();
    expect(service.read("projects/sail-loft/changelog.md")).toContain("grey-green");
    const filed = updates.locator("article", { hasText: "Filed" }).first();
    await filed.getByRole("button", { name: "Undo" }).click();
    await updates.getByText("Undone").waitFor();
    expect(service.read("projects/sail-loft/changelog.md")).not.toContain("grey-green");
  });

  it("with a model: shows what was done and which files were touched, and takes all of it back", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const service = await startService({ model: endingAfter(promise) });
    const { page } = await visit(service.link);
    await page.getByPlaceholder(NOTE_INPUT).fill(NOTE);
    await page.getByRole("button", { name: "Send" }).click();
    const updates = page.getByRole("region", { name: "Updates" });
    await updates.getByText("Being filed…").waitFor();
    await updates.getByText("Adds to").waitFor();
    resolve();
    await updates.getByText("the earlier start is in its state").waitFor();
    await updates.getByRole("link", { name: "vault/projects/sail-loft/state.md" }).click();
    await page.getByText("Electrics first, a day earlier than planned.").waitFor();
    await updates.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Electrics first. Arthur Polmear").waitFor();
    expect(service.read("projects/sail-loft/changelog.md")).not.toContain("a day early");
  });

  it("shows what another client hands over, and by whom", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByText("Watching for changes").waitFor();
    await page.evaluate(
      `fetch("/api/update", { method: "POST", headers: { "coffre-client": "claude-code" }, body: JSON.stringify({ content: "The kiln is paid." }) })`,
    );
    const updates = page.getByRole("region", { name: "Updates" });
    await updates.getByText("Waits in the inbox", { exact: true }).waitFor();
    expect(await updates.getByRole("article").textContent()).toContain("by claude-code");
  });

  it("takes images and texts by button, paste and drop, and says which files it cannot read", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    const png = Buffer.from(demoImage());
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Attach files" }).click(),
    ]);
    await chooser.setFiles([{ name: "roof.png", mimeType: "image/png", buffer: png }]);
    const hand = async (
      event: string,
      where: string,
      name: string,
      type: string,
      content = '"Some words of a file"',
    ): Promise<void> => {
      const [kind, property] =
        event === "paste" ? ["ClipboardEvent", "clipboardData"] : ["DragEvent", "dataTransfer"];
      await page.evaluate(`{
        const files = new DataTransfer();
        files.items.add(new File([${content}], "${name}", { type: "${type}" }));
        const given = { ${property}: files, bubbles: true, cancelable: true };
        document.querySelector("${where}").dispatchEvent(new ${kind}("${event}", given));
      }`);
    };
    await hand("paste", "textarea", "pasted.txt", "text/plain");
    const nothingKnown = "new Uint8Array([0, 255, 1, 254])";
    await hand("drop", "main", "quote.xyz", "application/x-unknown", nothingKnown);
    for (const name of ["roof.png", "pasted.txt", "quote.xyz"])
      await page.getByText(name).waitFor();
    await page.getByPlaceholder(NOTE_INPUT).fill("The roof today");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("quote.xyz").waitFor();
    await page.getByText("Waits in the inbox", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Open in the inbox" }).click();
    await page.getByText("Some words of a file").first().waitFor();
    await page.getByText("quote.xyz was sent with this, and could not be read.").first().waitFor();
    await expect
      .poll(async () => page.evaluate("document.querySelector('main img')?.naturalWidth"))
      .toBe(640);
    expect(existsSync(path.join(service.root, "inbox"))).toBe(true);
  });

  it("sends a document with its note as one update, and keeps the draft when it cannot be read", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    const attach = async (name: string, buffer: Buffer): Promise<void> => {
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: "Attach files" }).click(),
      ]);
      await chooser.setFiles([{ name, mimeType: "application/octet-stream", buffer }]);
    };
    await attach("broken.docx", docxFile().subarray(0, 300));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("alert").getByText("broken.docx").waitFor();
    await page.getByRole("button", { name: "Remove broken.docx" }).click();
    await attach("garden.docx", docxFile());
    await page.getByPlaceholder(NOTE_INPUT).fill("First line\nWhat the garden needs");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Waits in the inbox", { exact: true }).waitFor();
    const isNew = (name: string): boolean => !name.endsWith(".md") && !name.endsWith("-about-jo");
    const item = service.names("inbox").find(isNew) ?? "";
    expect(service.read(`inbox/${item}/original.md`)).toMatch(
      /First line\nWhat the garden needs\n\n## garden\.docx\n\n# Le jardin\n/u,
    );
    expect(service.names("bucket")).not.toContainEqual(expect.stringContaining("garden"));
  });

  it("keeps a draft through a reload", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByPlaceholder(NOTE_INPUT).fill("half a thought");
    await page.reload();
    await expect
      .poll(async () => page.getByPlaceholder(NOTE_INPUT).inputValue())
      .toBe("half a thought");
  });
});

describe("asking the vault", () => {
  it("finds passages as one types, marks the words, and opens the file there", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.getByText("Watching for changes").waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("trailer deposit");
    const found = page.getByRole("region", { name: "vault/projects/sail-loft/tasks.md" });
    // The first letters find it too: only the whole query marks this word.
    await found.locator("mark", { hasText: "deposit" }).first().waitFor();
    await found.locator("h3").getByRole("link").first().click();
    await page.locator(".marked", { hasText: "Fetch the kiln in Penryn" }).waitFor();
    expect(new URL(page.url()).pathname).toContain("projects/sail-loft/tasks.md");
  });

  it("with a model: shows its steps as they are taken, then the answer and its sources, which open at their lines", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const service = await startService({ model: endingAfter(promise) });
    const { page } = await visit(service.link);
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByPlaceholder("Search, or ask a question…").fill(QUESTION);
    await page.keyboard.press("Enter");
    const answer = page.getByRole("region", { name: "Answer" });
    await answer.getByText("trailer deposit, Jo Carne kiln").waitFor();
    await answer.getByText("Gathers the sources").waitFor();
    await answer.getByText("Looking through the vault…").waitFor();
    resolve();
    await answer.getByText("against a £250 deposit").first().waitFor();
    const source = answer.getByRole("figure").first();
    expect(await source.textContent()).toMatch(/tasks\.md7-117# Fetch the kiln/u);
    await source.getByRole("link").click();
    await expect.poll(() => page.url()).toContain("tasks.md#L7-11");
    await page.locator(".marked", { hasText: "Fetch the kiln in Penryn" }).waitFor();
    await page.goBack();
    await answer.getByText("against a £250 deposit").first().waitFor();
  });

  it("without a model: answers with the passages that have the words", async () => {
    const service = await startService();
    const { page } = await visit(service.link);
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("trailer deposit");
    await page.keyboard.press("Enter");
    await page.getByText("No model is configured: these are").waitFor();
    const source = page.getByRole("figure").filter({ hasText: "Jo Carne lends" }).first();
    expect(await source.textContent()).toContain("vault/projects/sail-loft/tasks.md");
  });
});
