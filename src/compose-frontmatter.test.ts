import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { createService, type Service } from "./compose.ts";
import { found, home, start, until, update, type Home } from "./testing/service-home.ts";
import { refusedWith, textOf } from "./testing/temporary-vault.ts";
import { initVault } from "./vault/init.ts";
import { createVault } from "./vault/vault.ts";

/** Starts without a wish: the vault gets the setting that fits it. */
async function startPlain({ root, state }: Home): Promise<Service> {
  const service = await createService({ root, state });
  onTestFinished(() => service.close().catch(() => {}));
  await service.settled();
  return service;
}

async function settingOf(at: Home): Promise<string> {
  const service = await startPlain(at);
  const { frontmatter } = await service.status();
  await service.close();
  return frontmatter.setting;
}

const STAMPED = /^---\ncreated: \S+\nupdated: \S+\ntokens: \d+\n---\n/u;
/** The person's own figures: our names, but under a key of theirs. */
const NESTED =
  "---\nusage:\n  created: 2021-03-05T10:00:00\n  updated: 2021-03-06T10:00:00\n  tokens: 12\n---\n\nA\n";
const OURS =
  "---\ncreated: 2024-01-01T00:00:00\nupdated: 2024-02-02T00:00:00\ntokens: 1\n---\n\nA\n";

describe("the setting of a vault for which none was chosen", () => {
  it("is own for a folder that had notes, and nothing in it changes", async () => {
    const at = home({ "a.md": "pompe\n", "d/b.md": "cave\n" });
    expect(await settingOf(at)).toBe("own");
    expect([at.read("a.md"), at.read("d/b.md")]).toEqual(["pompe\n", "cave\n"]);
    expect(existsSync(at.file("tree.md"))).toBe(false);
  });

  it("is own on a second machine that has the same folder by sync", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await startPlain(at);
    await update(service, "write", { path: "b.md", content: "cave\n" });
    await service.close();
    const other = { ...at, state: `${at.state}-other` };
    const before = at.read("b.md");
    expect(await settingOf(other)).toBe("own");
    expect([at.read("a.md"), at.read("b.md")]).toEqual(["pompe\n", before]);
  });

  it("stays own when the folder's disk is away at the start, and nothing is written until it is back", async () => {
    const at = home({ "a.md": "pompe\n" });
    await (await startPlain(at)).close();
    const away = `${at.root}-away`;
    renameSync(at.file("a.md"), away);
    const service = await createService({ root: at.root, state: at.state, isComparingLater: true });
    onTestFinished(() => service.close().catch(() => {}));
    // Before the first comparison, and after it.
    const write = async (): Promise<string | null> =>
      refusedWith(await update(service, "write", { path: "b.md", content: "neuf" }));
    expect(await write()).toBe("unavailable");
    await service.settled();
    expect(await write()).toBe("unavailable");
    expect(readdirSync(at.root)).toEqual([]);
    renameSync(away, at.file("a.md"));
    await until(service, async () => (await service.status()).alarms.length === 0);
    await service.settled();
    expect(service.frontmatter.policy).toBe("own");
    expect(at.read("a.md")).toBe("pompe\n");
    expect(await write()).toBeNull();
  });

  it("is all for an empty folder, and stays so on another machine that gets it by sync, or when the state is lost", async () => {
    const at = home();
    expect(await settingOf(at)).toBe("all");
    writeFileSync(at.file("a.md"), "pompe\n");
    expect(await settingOf(at)).toBe("all");
    expect(at.read("a.md")).toMatch(STAMPED);
    rmSync(at.state, { recursive: true });
    expect(await settingOf(at)).toBe("all");
  });

  it("is all for a vault that init made, even without its tree.md", async () => {
    const at = home();
    const vault = createVault(at);
    await initVault(vault, { lang: "en", demo: false, now: new Date(), actor: "test" });
    vault.close();
    rmSync(at.file("tree.md"));
    expect(await settingOf(at)).toBe("all");
  });

  it("is own where a tree.md is the person's, and where init only added to their notes", async () => {
    const at = home({ "tree.md": "# Trees\n\nThe oak is 200 years old.\n" });
    const service = await startPlain(at);
    await service.frontmatter.init({ lang: "en", demo: false, now: new Date(), actor: "test" });
    await service.close();
    expect(await settingOf(at)).toBe("own");
    expect(at.read("tree.md")).toBe("# Trees\n\nThe oak is 200 years old.\n");
    expect(at.read("overview.md")).toMatch(STAMPED);
  });
});

describe("own", () => {
  it("stamps what a tool creates, and adds nothing to a person's file that it edits", async () => {
    const at = home({ "a.md": "pompe\n", "tasks.md": "- [ ] appeler\n" });
    const service = await startPlain(at);
    await update(service, "write", { path: "neuf.md", content: "cave\n" });
    await update(service, "append", { path: "a.md", content: "turbine", position: "bottom" });
    await service.settled();
    expect(at.read("neuf.md")).toMatch(STAMPED);
    expect(at.read("a.md")).toBe("pompe\n\nturbine\n");
    expect(await found(service, "turbine")).toEqual(["a.md"]);
  });

  it("keeps right what carries all three keys already, and knows its own after a crash", async () => {
    const at = home({ "a.md": OURS });
    const vault = createVault(at);
    await vault.change({ actor: "test", call: "write", batch: null }, async ({ writer }) =>
      writer.create("b.md", Buffer.from("cave\n")),
    );
    vault.close();
    await startPlain(at);
    expect(at.read("a.md")).toContain("tokens: 20\n");
    expect(at.read("b.md")).toMatch(STAMPED);
  });

  it("keeps the bytes of a note that has all three keys in our form but was never ours, and an undo is for good", async () => {
    const at = home({ "a.md": OURS });
    const service = await startPlain(at);
    expect(at.read("a.md")).not.toBe(OURS);
    const [entry, ...others] = await service.vault.log({ path: null, limit: 5 });
    expect(entry).toMatchObject({ call: "frontmatter", changes: [{ path: "a.md" }] });
    expect(others).toEqual([]);
    await service.frontmatter.undo(entry?.id ?? "", { actor: "test", force: false });
    await service.settled();
    expect(at.read("a.md")).toBe(OURS);
    appendFileSync(at.file("a.md"), "turbine\n");
    await until(service, async () => (await found(service, "turbine")).length === 1);
    expect(at.read("a.md")).toBe(`${OURS}turbine\n`);
    expect((await service.status()).left).toMatchObject([{ path: "vault/a.md", reason: "undone" }]);
    const preview = { stamped: 1, wrong: 0, unstamped: 1 };
    expect(await service.frontmatter.preview()).toMatchObject(preview);
    await service.close();
    const again = await startPlain(at);
    expect(at.read("a.md")).toBe(`${OURS}turbine\n`);
    const adopted = await again.frontmatter.adopt("all", "test", () => {});
    expect(adopted.files).toBe(1);
    expect(at.read("a.md")).toContain("tokens: 22\n");
  });

  it("says that such a note would be corrected, before it is", async () => {
    const at = home({ "a.md": OURS, "b.md": "B\n" });
    const service = await createService({ ...at, isWatching: false, isCatchingUp: false });
    onTestFinished(() => service.close().catch(() => {}));
    const preview = { stamped: 1, wrong: 1, unstamped: 1 };
    expect(await service.frontmatter.preview()).toMatchObject(preview);
    expect(at.read("a.md")).toBe(OURS);
  });

  it("corrects its own notes without a word in the history, after a lost state too", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await startPlain(at);
    await update(service, "write", { path: "b.md", content: "cave\n" });
    await service.settled();
    await update(service, "append", { path: "b.md", content: "turbine", position: "bottom" });
    await service.settled();
    appendFileSync(at.file("b.md"), "moulin\n");
    await until(service, async () => (await found(service, "moulin")).length === 1);
    const calls = (await service.vault.log({ path: null, limit: 9 })).map(({ call }) => call);
    expect(calls).toEqual(["append", "write"]);
    const kept = at.read("b.md");
    await service.close();
    rmSync(at.state, { recursive: true });
    const again = await startPlain(at);
    expect(at.read("b.md")).toBe(kept);
    expect(await again.vault.log({ path: null, limit: 9 })).toEqual([]);
  });

  it("adds nothing to a note that has our names under a key of the person's, nor when it is edited", async () => {
    const at = home({ "a.md": NESTED });
    const service = await startPlain(at);
    expect(at.read("a.md")).toBe(NESTED);
    await update(service, "append", { path: "a.md", content: "turbine", position: "bottom" });
    await service.settled();
    expect(at.read("a.md")).toBe(`${NESTED}\nturbine\n`);
  });

  it("does not take a person's file for one that a tool made under that name", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await startPlain(at);
    await update(service, "write", { path: "b.md", content: "cave\n" });
    await service.settled();
    await service.close();
    writeFileSync(at.file("b.md"), "une autre\n");
    await startPlain(at);
    expect(at.read("b.md")).toBe("une autre\n");
  });

  it("moves the time of the last change with the text alone", async () => {
    const at = home({ "a.md": "pompe\n" });
    const past = new Date(2024, 4, 5, 6, 7, 8);
    utimesSync(at.file("a.md"), past, past);
    const service = await startPlain(at);
    const changed = async (): Promise<string> => {
      const node = await service.vault.shape("a.md");
      return node.kind === "file" ? node.facts.changed : "";
    };
    expect(await changed()).toBe("2024-05-05T06:07:08");
    utimesSync(at.file("a.md"), new Date(), new Date());
    await service.rescan();
    await service.settled();
    expect(await changed()).toBe("2024-05-05T06:07:08");
    await service.close();
    const again = await startPlain(at);
    const node = await again.vault.shape("a.md");
    expect(node).toMatchObject({ facts: { changed: "2024-05-05T06:07:08" } });
    appendFileSync(at.file("a.md"), "turbine\n");
    await until(again, async () => (await found(again, "turbine")).length === 1);
    expect(await again.vault.shape("a.md")).not.toMatchObject({
      facts: { changed: "2024-05-05T06:07:08" },
    });
  });

  it("keeps the times of a note that a tool changes before it was ever processed", async () => {
    const at = home({ "a.md": "[[b]]\n", "b.md": "pompe\n", "c.md": "cave\n" });
    const past = new Date(2024, 4, 5, 6, 7, 8);
    for (const name of ["a.md", "b.md", "c.md"]) utimesSync(at.file(name), past, past);
    const service = await createService({ root: at.root, state: at.state });
    onTestFinished(() => service.close().catch(() => {}));
    await update(service, "move", { from: "b.md", to: "d.md" });
    await update(service, "append", { path: "c.md", content: "turbine", position: "bottom" });
    await service.settled();
    expect(at.read("a.md")).toBe("[[d]]\n");
    const time = "2024-05-05T06:07:08";
    expect(await service.vault.shape("a.md")).toMatchObject({ facts: { changed: time } });
    await service.frontmatter.adopt("all", "test", () => {});
    await service.settled();
    expect(at.read("a.md")).toContain(`created: ${time}\nupdated: ${time}\n`);
    expect(at.read("c.md")).toContain(`created: ${time}\n`);
    expect(at.read("c.md")).not.toContain(`updated: ${time}`);
  });

  it("keeps the time of a note too large to be held whole in the same way", async () => {
    const at = home({ "a.md": "pompe ".repeat(300_000) });
    const past = new Date(2024, 4, 5, 6, 7, 8);
    utimesSync(at.file("a.md"), past, past);
    const service = await startPlain(at);
    utimesSync(at.file("a.md"), new Date(), new Date());
    await service.rescan();
    await service.settled();
    const kept = { facts: { changed: "2024-05-05T06:07:08" } };
    expect(await service.vault.shape("a.md")).toMatchObject(kept);
    appendFileSync(at.file("a.md"), "\nturbine\n");
    await until(service, async () => (await found(service, "turbine")).length === 1);
    expect(await service.vault.shape("a.md")).not.toMatchObject(kept);
    expect(at.read("a.md")).toMatch(/^pompe /u);
  });

  it("keeps the times of many notes that are touched at once", async () => {
    const names = Array.from({ length: 250 }, (_, at) => `n${at}.md`);
    const at = home(Object.fromEntries(names.map((name) => [name, "pompe\n"])));
    const past = new Date(2024, 4, 5, 6, 7, 8);
    for (const name of names) utimesSync(at.file(name), past, past);
    await (await startPlain(at)).close();
    for (const name of names) utimesSync(at.file(name), new Date(), new Date());
    const service = await startPlain(at);
    const root = await service.vault.shape("");
    expect(root).toMatchObject({ files: 250, changed: "2024-05-05T06:07:08" });
    const request = { mode: "fast", scope: null, limit: 9, to: null, queries: ["pompe"] } as const;
    expect((await service.index.search({ ...request, from: "2025-01-01" })).hits).toEqual([]);
    expect((await service.index.search({ ...request, from: "2024-05-05" })).hits).toHaveLength(9);
  });

  it("gives tree.md to those who read it, without writing it", async () => {
    const at = home({ "a.md": "pompe\n" });
    const service = await startPlain(at);
    const shown = textOf(await update(service, "read", { paths: "vault/tree.md" }));
    expect(shown).toContain("a.md");
    expect(existsSync(at.file("tree.md"))).toBe(false);
    const refused = await update(service, "write", { path: "tree.md", content: "x\n" });
    expect(refused.structured).toMatchObject({ error: { code: "protected" } });
  });
});

describe("a tree.md of the person's", () => {
  it.each(["all", "own", "none"] as const)("is a note like any other (%s)", async (setting) => {
    const at = home({ "tree.md": "# Trees\n\nThe oak is 200 years old.\n" });
    const service = await start(at, setting);
    expect(await found(service, "oak")).toEqual(["tree.md"]);
    await update(service, "append", { path: "tree.md", content: "An elm.", position: "bottom" });
    await service.settled();
    expect(at.read("tree.md")).toMatch(/The oak is 200 years old\.\n\nAn elm\.\n$/u);
  });

  it("that is a link to a note leaves that note as it is", async () => {
    const at = home({ "notes/oak.md": "The oak.\n" });
    symlinkSync("notes/oak.md", at.file("tree.md"));
    const service = await start(at);
    expect(at.read("notes/oak.md")).toMatch(/The oak\.\n$/u);
    await service.close();
  });
});

describe("all", () => {
  const FOREIGN = {
    "wiki.md": '---\nupdated: "[[2021-03-05]]"\ntokens: my-own-value\n---\nA\n',
    "hugo.md": "+++\ntitle = 'A'\n+++\nA\n",
    "json.md": '{\n  "title": "A"\n}\n\nA\n',
    "plain.md": "A\n",
  };

  it("leaves people's own keys, other front matter and read-only files alone, and says so", async () => {
    const at = home({ ...FOREIGN, "locked.md": "A\n" });
    chmodSync(at.file("locked.md"), 0o444);
    const service = await start(at);
    expect(at.read("wiki.md")).toMatch(
      /^---\nupdated: "\[\[2021-03-05\]\]"\ntokens: my-own-value\ncreated: \S+\n---\nA\n$/u,
    );
    expect([at.read("hugo.md"), at.read("json.md")]).toEqual([
      FOREIGN["hugo.md"],
      FOREIGN["json.md"],
    ]);
    expect(at.read("locked.md")).toBe("A\n");
    const told = {
      frontmatter: {
        setting: "all",
        chosen: true,
        left: { "own-key": 1, toml: 1, json: 1, "read-only": 1 },
      },
      left: [
        {
          path: "vault/wiki.md",
          reason: "own-key",
          problem: "its own updated and tokens stay as written",
        },
      ],
    };
    expect(await service.status()).toMatchObject(told);
    await service.close();
    // Also after a restart, which reads no file again.
    expect(await (await startPlain(at)).status()).toMatchObject(told);
  });

  it("keeps the bytes before in the history, and one undo brings all back for good", async () => {
    const at = home(FOREIGN);
    const service = await start(at);
    expect(at.read("plain.md")).toMatch(STAMPED);
    const [entry] = await service.vault.log({ path: null, limit: 5 });
    expect(entry).toMatchObject({ call: "frontmatter", actor: "coffre" });
    await service.frontmatter.undo(entry?.id ?? "", { actor: "test", force: false });
    await service.settled();
    await service.close();
    await startPlain(at);
    for (const [name, text] of Object.entries(FOREIGN)) expect(at.read(name)).toBe(text);
  });

  it.each(["a tool", "another program"])(
    "does not stamp again what an undo took back and %s renamed",
    async (who) => {
      const at = home({ "d/a.md": "A\n", "b.md": "B\n" });
      const service = await start(at);
      const [entry] = await service.vault.log({ path: null, limit: 1 });
      await service.frontmatter.undo(entry?.id ?? "", { actor: "test", force: false });
      await service.settled();
      if (who === "a tool") await update(service, "move", { from: "d", to: "e" });
      else renameSync(at.file("d"), at.file("e"));
      await until(service, async () => (await found(service, "A")).includes("e/a.md"));
      expect(at.read("e/a.md")).toBe("A\n");
      appendFileSync(at.file("e/a.md"), "turbine\n");
      await until(service, async () => (await found(service, "turbine")).length === 1);
      expect(at.read("e/a.md")).toBe("A\nturbine\n");
      writeFileSync(at.file("neuf.md"), "moulin\n");
      await until(service, async () => (await found(service, "moulin")).length === 1);
      expect(at.read("neuf.md")).toMatch(STAMPED);
    },
  );

  it("gives a note with our names under a key of the person's its own times, and one undo takes them back", async () => {
    const at = home({ "a.md": NESTED });
    const past = new Date(2024, 4, 5, 6, 7, 8);
    utimesSync(at.file("a.md"), past, past);
    const service = await startPlain(at);
    expect(await service.frontmatter.preview()).toMatchObject({ stamped: 0, unstamped: 1 });
    const { history } = await service.frontmatter.adopt("all", "test", () => {});
    const time = "2024-05-05T06:07:08";
    expect(at.read("a.md")).toContain(
      `\n  tokens: 12\ncreated: ${time}\nupdated: ${time}\ntokens: `,
    );
    expect(await service.vault.shape("a.md")).toMatchObject({ facts: { changed: time } });
    await service.frontmatter.undo(history ?? "", { actor: "test", force: false });
    await service.settled();
    expect(at.read("a.md")).toBe(NESTED);
  });

  it("skips in an undo what changed since, and names it", async () => {
    const at = home({ "a.md": "A\n", "b.md": "B\n" });
    const service = await start(at);
    const [entry] = await service.vault.log({ path: null, limit: 1 });
    appendFileSync(at.file("a.md"), "et encore\n");
    const undone = await service.frontmatter.undo(entry?.id ?? "", { actor: "test", force: false });
    expect(undone.skipped).toEqual(["a.md"]);
    expect(at.read("b.md")).toBe("B\n");
    expect(at.read("a.md")).toMatch(/A\net encore\n$/u);
  });

  it("takes the earliest time that the disk or the file's own words know for created", async () => {
    const at = home({
      "2021-03-05 réunion.md": "A\n",
      "d.md": "---\ndate: 2020-06-07\n---\nA\n",
      "plain.md": "A\n",
    });
    await start(at);
    expect(at.read("2021-03-05 réunion.md")).toContain("created: 2021-03-05T00:00:00\n");
    expect(at.read("d.md")).toContain("created: 2020-06-07T00:00:00\n");
  });

  it("is stored, and going back to none takes tree.md away, undoably", async () => {
    const at = home({ "a.md": "A\n" });
    await (await start(at)).close();
    expect(JSON.parse(readFileSync(path.join(at.state, "coffre.json"), "utf8"))).toMatchObject({
      frontmatter: "all",
    });
    expect(existsSync(at.file("tree.md"))).toBe(true);
    const service = await start(at, "none");
    expect(existsSync(at.file("tree.md"))).toBe(false);
    const before = statSync(at.file("a.md")).mtimeMs;
    await update(service, "write", { path: "b.md", content: "B\n" });
    await service.settled();
    expect(at.read("b.md")).toBe("B\n");
    expect(statSync(at.file("a.md")).mtimeMs).toBe(before);
    const removal = (await service.vault.log({ path: "tree.md", limit: 1 }))[0];
    await service.frontmatter.undo(removal?.id ?? "", { actor: "test", force: false });
    expect(existsSync(at.file("tree.md"))).toBe(true);
  });
});
