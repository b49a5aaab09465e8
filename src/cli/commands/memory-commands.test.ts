import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { acquireOwnership } from "../../jobs/owner/owner-lock.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call, houseTurn, NOTE, PIXEL, REPORT } from "../../testing/models/house-script.ts";
import { startScriptedModel } from "../../testing/models/scripted-model.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { ownVault } from "../vault/own-vault.ts";
import { Screen } from "../output/screen.ts";
import { field, temporaryPlace, type TemporaryPlace } from "../testing/cli.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

type Environment = Readonly<Record<string, string>>;

/** A model that files the note about the roof, and answers with the changelog. */
async function modelEnvironment(): Promise<Environment> {
  const model = await startScriptedModel("openai", (request) => {
    if (!request.tools.includes("concat")) return houseTurn(request);
    const files = [{ path: "vault/projects/house/changelog.md" }];
    const text = "Hale does the roof because he comes before the frost.";
    return { text, calls: [call("concat", { files })] };
  });
  onTestFinished(() => model.close());
  return { COFFRE_MODEL: "openai-compatible/scripted", COFFRE_BASE_URL: model.baseUrl };
}

/** Makes this process the running service, with its agents. */
async function serve({ root, state }: TemporaryPlace, environment: Environment): Promise<void> {
  const nowhere = { write: () => true };
  const screen = new Screen({ stdout: nowhere, stderr: nowhere, environment, json: false });
  const owned = await ownVault({ root, state }, { now, screen, environment });
  if (owned === null) throw new Error("the vault has an owner already");
  onTestFinished(() => owned.close());
}

const fileOf =
  ({ root }: TemporaryPlace) =>
  (name: string): string =>
    path.join(root, name);

describe.each(["by themselves", "through the running service"])("memory commands, %s", (how) => {
  async function placeWith(environment: Environment): Promise<TemporaryPlace> {
    const place = temporaryPlace(houseFiles);
    if (how !== "by themselves") await serve(place, environment);
    return place;
  }

  it("remember takes piped text as material, unless it is said to be one's own", async () => {
    const environment = await modelEnvironment();
    const place = await placeWith(environment);
    const piped = await place.run(["remember", "-", "--wait"], { environment, stdin: NOTE });
    expect(piped.stdout).toContain("vault/inbox/");
    const state = (): string => readFileSync(fileOf(place)("projects/house/state.md"), "utf8");
    expect(state()).toContain("Start not known.");
    const trusted = ["remember", "-", "--trust", "--wait"];
    expect((await place.run(trusted, { environment, stdin: NOTE })).code).toBe(0);
    expect(state()).toContain("Starts on 2026-11-20.");
  });

  it("remember files a note with the model, and tells what was touched and how to take it back", async () => {
    const environment = await modelEnvironment();
    const place = await placeWith(environment);
    const { code, stdout, stderr } = await place.run(["remember", NOTE, "--wait"], { environment });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${REPORT.text}\n  vault/projects/house/state.md (changed)\n`);
    const [, batch = ""] = /coffre undo (\S+)/u.exec(stdout) ?? [];
    expect(readFileSync(fileOf(place)("overview.md"), "utf8")).toContain("Starts on 2026-11-20");
    expect((await place.run(["undo", batch])).code).toBe(0);
    expect(readFileSync(fileOf(place)("overview.md"), "utf8")).toContain("Start not known");
  });

  it("remember without a model leaves it in the inbox, and an answer files it", async () => {
    const place = await placeWith({});
    const text = "Two tins of varnish for the boat";
    const parked = await place.json(["remember", "-", "--wait"], { stdin: text, now });
    expect(parked).toMatchObject({ status: "parked", content: text, from: "cli" });
    const ref = field(parked, "report", "inbox");
    const { stdout: list } = await place.run(["inbox"]);
    expect(list).toContain(`${ref}\n  ${text}\n  In which project does it belong: boat`);
    const { stdout: item } = await place.run(["inbox", "show", ref]);
    expect(item).toContain("## What I found");
    expect(item).toContain(`Originals:\n  vault/inbox/${ref}/original.md`);
    const answered = await place.run(["inbox", "answer", ref, "boat", "--wait"], { now });
    expect(answered.stdout).toContain(`"${text}" is filed in boat`);
    expect(existsSync(fileOf(place)(`projects/boat/bucket/${ref}.md`))).toBe(true);
    expect((await place.run(["inbox"])).stdout).toBe("Nothing waits.\n");
  });

  it("recall answers with the model, or without one", async () => {
    const environment = await modelEnvironment();
    const place = await placeWith(environment);
    const { stdout } = await place.run(["recall", "Who does the roof?"], { environment });
    expect(stdout).toMatch(
      /^Hale does the roof [^\n]*\n\n\[1\] vault\/\S+ · sha256:\w{64}\n[^\n]*\n\n---\n\n```vault\/projects\/house/u,
    );
    const bare = temporaryPlace(houseFiles);
    const answer = await bare.json(["recall", "Who does the roof?"]);
    expect(answer).toMatchObject({ model: null, sources: expect.any(Array) });
    expect(field(answer, "answer")).toContain("| ## [decision] Hale does the roof");
  });

  it("shows what the agent does on a terminal, and nothing of it in a pipe", async () => {
    const environment = await modelEnvironment();
    const place = await placeWith(environment);
    const argv = ["recall", "Who does the roof?"];
    const seen = await place.run(argv, { environment, terminal: true });
    expect(seen.stderr).toContain("Gathering vault/projects/house/changelog.md");
    const piped = await place.run(argv, { environment });
    expect(piped.stderr).toBe("");
  });

  it("remember takes pictures and texts from files", async () => {
    const place = await placeWith({});
    const folder = temporaryFolder();
    const [picture, mail] = [path.join(folder, "Tins.png"), path.join(folder, "mail.txt")];
    writeFileSync(picture, Buffer.from(PIXEL, "base64"));
    writeFileSync(mail, "Varnish is on its way.\n");
    const argv = ["remember", "From the shop:", "--file", picture, "--file", mail, "--wait"];
    const parked = await place.json(argv, { now });
    const folderOf = `inbox/${field(parked, "report", "inbox")}`;
    expect(existsSync(fileOf(place)(`${folderOf}/tins.png`))).toBe(true);
    const original = readFileSync(fileOf(place)(`${folderOf}/original.md`), "utf8");
    expect(original).toContain("From the shop:\n\nVarnish is on its way.\n");
  });

  it("remember keeps a drawing as a picture, and recognises a file that comes again, also when it is ingested", async () => {
    const place = await placeWith({});
    const folder = temporaryFolder();
    const [plan, mail] = [path.join(folder, "Plan.svg"), path.join(folder, "mail.txt")];
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><text>North</text></svg>';
    writeFileSync(plan, drawing);
    writeFileSync(mail, "Varnish is on its way.\n");
    const argv = ["remember", "From the shop:", "--file", plan, "--file", mail, "--wait"];
    const first = `inbox/${field(await place.json(argv, { now }), "report", "inbox")}`;
    expect(readFileSync(fileOf(place)(`${first}/plan.svg`), "utf8")).toBe(drawing);
    const second = `inbox/${field(await place.json(argv, { now }), "report", "inbox")}`;
    const again = `The same file was taken in before: vault/${first}/original.md.`;
    const original = readFileSync(fileOf(place)(`${second}/original.md`), "utf8");
    expect(original.split(again)).toHaveLength(3);
    const { stdout } = await place.run(["ingest", mail], { now });
    expect(stdout).toContain("The same file was taken in before: vault/inbox/2026-11-16-from-");
  });
});

describe("remember", () => {
  it("does not wait for the service without --wait", async () => {
    const place = temporaryPlace(houseFiles);
    await serve(place, {});
    const answer = await place.json(["remember", "later"]);
    expect(answer).toEqual({ id: expect.any(String), status: "accepted" });
  });

  it("waits for a command that holds the vault, and then files it", async () => {
    const place = temporaryPlace(houseFiles);
    const other = acquireOwnership(place.state);
    const first = place.json(["remember", "first of two"], { now });
    // By the time that the same command is done in a vault nobody holds, this one would be too.
    await temporaryPlace(houseFiles).run(["remember", "control"], { now });
    expect(existsSync(fileOf(place)("inbox/2026-11-16-first-of-two"))).toBe(false);
    other?.release();
    expect(await first).toMatchObject({ status: "parked" });
    await place.run(["remember", "second of two"], { now });
    const { stdout } = await place.run(["inbox"]);
    expect(stdout).toContain("2026-11-16-first-of-two");
    expect(stdout).toContain("2026-11-16-second-of-two");
  });

  it("does not let the text of a file change more than inbox and buckets, unless it is trusted", async () => {
    const environment = await modelEnvironment();
    const folder = temporaryFolder();
    const mail = path.join(folder, "mail.txt");
    writeFileSync(mail, NOTE);
    const careful = temporaryPlace(houseFiles);
    await careful.run(["remember", "--file", mail], { environment, now });
    expect(readFileSync(fileOf(careful)("overview.md"), "utf8")).toContain("Start not known");
    const trusting = temporaryPlace(houseFiles);
    await trusting.run(["remember", "--file", mail, "--trust"], { environment, now });
    expect(readFileSync(fileOf(trusting)("overview.md"), "utf8")).toContain("Starts on");
  });

  it("takes files of other forms as what ingest makes of them, attachments too", async () => {
    const place = temporaryPlace();
    const mail = path.join(temporaryFolder(), "mail.eml");
    const lines = [
      "From: Zoé <zoe@example.org>",
      "Subject: The pump",
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=x",
      "",
      "--x",
      "Content-Type: text/plain; charset=latin1",
      "",
      "Elle est cass\xE9e.",
      "--x",
      "Content-Type: text/csv; name=prices.csv",
      "Content-Disposition: attachment; filename=prices.csv",
      "",
      "part,price",
      "pump,240",
      "--x--",
      "",
    ];
    writeFileSync(mail, Buffer.from(lines.join("\r\n"), "latin1"));
    const { code, stdout } = await place.run(["remember", "--file", mail, "--wait", "--json"]);
    expect(code).toBe(0);
    const ref = /"inbox": "([^"]+)"/u.exec(stdout)?.[1] ?? "";
    const shown = (await place.run(["read", `inbox/${ref}`])).stdout;
    expect(shown).toContain("Elle est cassée.");
    expect(shown).toMatch(/\| pump \| 240 \|/u);
  });

  it("says what is wrong with a file that cannot be read, or is not there", async () => {
    const place = temporaryPlace();
    const file = path.join(temporaryFolder(), "scan.pdf");
    writeFileSync(file, Buffer.from([37, 80, 68, 70, 0, 255]));
    const binary = await place.run(["remember", "--file", file]);
    expect(binary).toMatchObject({ code: 1, stderr: expect.stringContaining("scan.pdf") });
    const missing = await place.run(["remember", "--file", `${file}x`]);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("does not exist") });
  });

  it("uses the model that coffre.json in the state folder names", async () => {
    const { COFFRE_MODEL: model, COFFRE_BASE_URL: baseUrl } = await modelEnvironment();
    const place = temporaryPlace(houseFiles);
    await place.run(["remember", "makes the state folder"]);
    writeFileSync(path.join(place.state, "coffre.json"), JSON.stringify({ model, baseUrl }));
    const { stdout } = await place.run(["remember", NOTE]);
    expect(stdout).toContain(REPORT.text);
    writeFileSync(path.join(place.state, "coffre.json"), '{"apiKey": "sk-secret", oops');
    const broken = await place.run(["remember", NOTE]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toContain("coffre.json is not of the form");
    expect(broken.stderr).not.toContain("sk-secret");
  });

  it("exits 2 with nothing to remember on a terminal, and with an unknown action of inbox", async () => {
    const place = temporaryPlace(houseFiles);
    expect((await place.run(["remember"], { terminal: true })).code).toBe(2);
    expect((await place.run(["inbox", "empty"])).code).toBe(2);
    expect((await place.run(["inbox", "answer", "x"])).code).toBe(2);
    expect((await place.run(["recall"])).code).toBe(2);
    expect((await place.run(["inbox", "show", "nobody"])).code).toBe(1);
  });
});
