import { readdirSync, rmSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { codeOf, refusalOf } from "../../testing/expected-error.ts";
import { tidyHome, type TidyHome } from "./testing/tidy-home.ts";

const files = {
  "overview.md":
    "# Overview\n\n## Projects\n\n- **loft** (active): a studio. See [[projects/loft/state]].\n\n## Inbox\n\n3 items waiting.\n",
  "projects/loft/state.md": "## Status\n\nPaused. Nothing before spring.\n",
  "projects/loft/changelog.md": "# 2026-11-08\n\n## a\nx\n\n# 2026-11-08\n\n## b\ny\n",
  "projects/loft/tasks.md": "# Kiln\nstatus: todo\ndeadline: 2026-11-01\n",
  "bucket/a.md": "The same.\n",
  "bucket/b.md": "The same.\n",
};

const TITLES = [
  "1. vault/overview.md gives a wrong number of inbox items: there are 0",
  '2. vault/overview.md calls loft "active", vault/projects/loft/state.md says "paused"',
  "3. vault/projects/loft/changelog.md: 1 more heading of a day that has one already, put under the first",
  "4. vault/bucket/b.md says the same as vault/bucket/a.md, which stays",
];

function items({ service }: TidyHome): string[] {
  return readdirSync(path.join(service.vault.root, "inbox"));
}

describe("tidying", () => {
  it("does not call a project gone that only models do not see, and quotes nothing of it", async () => {
    const home = await tidyHome({
      ...files,
      "projects/loft/tasks.md": "# Zanzibar\nstatus: todo\ndeadline: 2026-11-01\n",
      "projects/roof/state.md": "## Status\n\nActive.\n",
    });
    await home.service.privates.add("vault/projects/loft", home.service.vault);
    const { item } = await home.tidy();
    const said = JSON.stringify(item);
    expect(said).not.toContain("not there");
    expect(said).not.toMatch(/zanzibar/iu);
  });

  it("changes nothing, and makes one inbox item with numbered diffs and what can only be looked at", async () => {
    const home = await tidyHome(files);
    const before = home.bytes();
    const { item, problem } = await home.tidy();
    expect(home.bytes()).toEqual(before);
    expect(problem).toBeNull();
    expect(item?.ref).toBe("2026-11-18-tidy");
    expect(await home.titles()).toEqual(TITLES);
    const { question, review, title } = await home.memory.inbox.show("2026-11-18-tidy");
    expect(title).toBe("Tidying, 4 proposals, 1 to look at");
    expect(question).toContain("Answer `yes` for all of them");
    expect(review).toContain(`## ${TITLES[1] ?? ""}`);
    expect(review).toContain("-- **loft** (active): a studio.");
    expect(review).toContain("+- **loft** (paused): a studio.");
    expect(review).toContain("- Overdue since 2026-11-01: Kiln (vault/projects/loft/tasks.md)");
    expect(home.model.requests).toEqual([]);
    expect(home.bugs).toEqual([]);
  });

  it.each(["yes", "1-4"])("makes all of them on %s, as one batch", async (said) => {
    const home = await tidyHome(files);
    await home.tidy();
    const before = home.bytes();
    const { status, report } = await home.answer(said);
    expect(status).toBe("done");
    expect(report).toMatchObject({ outcome: "filed", text: "Tidied: 4 made.", model: null });
    expect(home.read("overview.md")).toContain("- **loft** (paused): a studio.");
    expect(home.read("overview.md")).toContain("Nothing waits.");
    expect(items(home)).toEqual([]);
    const batch = report?.batch ?? "";
    expect(await home.service.vault.entries(batch)).toHaveLength(1);
    // The task is still overdue, which only the person can change.
    expect((await home.tidy()).item?.ref).toBe("2026-11-18-tidy-2");
    expect(await home.titles()).toEqual([]);
    await home.service.vault.undo(batch, { actor: "test", force: false });
    await home.service.settled();
    expect(home.bytes()).toEqual(before);
  });

  it("makes only what an answer names, and can be answered again after an undo", async () => {
    const home = await tidyHome(files);
    await home.tidy();
    const before = home.bytes();
    const { report } = await home.answer("2 and 4");
    expect(report?.touched.map(({ path: each }) => each)).toEqual([
      "vault/overview.md",
      "vault/bucket/b.md",
      "vault/inbox/2026-11-18-tidy",
    ]);
    expect(home.read("overview.md")).toContain("3 items waiting.");
    await home.service.vault.undo(report?.batch ?? "", { actor: "test", force: false });
    await home.service.settled();
    expect(home.bytes()).toEqual(before);
    expect((await home.answer("3")).status).toBe("done");
    expect(home.read("projects/loft/changelog.md").match(/^# /gmu)).toHaveLength(1);
  });

  it("makes nothing when a file changed meanwhile, says which, and the others can still be chosen", async () => {
    const home = await tidyHome(files);
    await home.tidy();
    home.write("bucket/b.md", "Another text.\n");
    const before = home.bytes();
    const failed = await home.answer("yes");
    expect(failed.status).toBe("failed");
    expect(failed.error).toContain("vault/bucket/b.md. Nothing was changed.");
    expect(home.bytes()).toEqual(before);
    expect((await home.answer("1,2,3")).status).toBe("done");
  });

  it("lets an answer be seen first, like any update", async () => {
    const home = await tidyHome(files);
    const { item } = await home.tidy();
    const before = home.bytes();
    const answer = { inboxRef: item?.ref ?? "", isPreview: true };
    const { id, status } = await home.remember("2,4", answer);
    expect(status).toBe("preview");
    expect(home.bytes()).toEqual(before);
    const proposed = await home.memory.previews.proposed(id);
    expect(proposed.map(({ path: each }) => each)).toEqual([
      "bucket/b.md",
      "inbox/2026-11-18-tidy/review.md",
      "overview.md",
    ]);
    await home.memory.previews.accept(id);
    expect(home.read("overview.md")).toContain("(paused)");
    expect(items(home)).toEqual([]);
  });

  it("takes no other answer for a choice", async () => {
    const home = await tidyHome(files);
    const { item } = await home.tidy();
    const inboxRef = item?.ref ?? "";
    for (const content of ["5", "0", "3-1", "the second", "1,x", "loft"])
      expect(await codeOf(() => home.remember(content, { inboxRef }))).toBe("invalid_argument");
    const refused = await refusalOf(() => home.remember("yes", { inboxRef, isUntrusted: true }));
    expect(refused?.code).toBe("no_permission");
    expect(await home.titles()).toEqual(TITLES);
  });

  it("deletes nothing on the word of a client", async () => {
    const home = await tidyHome(files);
    const { item } = await home.tidy();
    const relayed = { inboxRef: item?.ref ?? "", isRelayed: true };
    const before = home.bytes();
    expect((await home.remember("yes", relayed)).status).toBe("failed");
    expect(home.bytes()).toEqual(before);
    expect((await home.remember("1,2,3", relayed)).status).toBe("done");
  });

  it("is replaced when it is not answered, and stays when nothing is new", async () => {
    const home = await tidyHome(files);
    await home.tidy();
    const [first] = await home.service.vault.log({ path: null, limit: 1 });
    await home.tidy();
    expect((await home.service.vault.log({ path: null, limit: 1 }))[0]?.id).toBe(first?.id);
    home.write("bucket/c.md", "The same.\n");
    await home.service.rescan();
    await home.service.settled();
    await home.tidy();
    // Under another name: an answer to the old numbers must not choose among the new ones.
    expect(items(home)).toEqual(["2026-11-18-tidy-2"]);
    expect((await home.titles())[3]).toContain(
      "vault/bucket/b.md, vault/bucket/c.md says the same",
    );
    rmSync(path.join(home.service.vault.root, "bucket/b.md"));
    rmSync(path.join(home.service.vault.root, "bucket/c.md"));
    await home.service.rescan();
    await home.service.settled();
    await home.tidy();
    expect(await home.titles()).toEqual(TITLES.slice(0, 3));
  });

  it("leaves files that somebody put into the item's folder", async () => {
    const home = await tidyHome(files);
    await home.tidy();
    home.write("inbox/2026-11-18-tidy/mine.md", "Mine.\n");
    await home.answer("yes");
    expect(home.read("inbox/2026-11-18-tidy/mine.md")).toContain("Mine.");
  });

  it("does not propose again every day what was refused, and does when asked", async () => {
    const home = await tidyHome(files);
    await home.tidy(true);
    const { report } = await home.answer("non");
    expect(report?.text).toContain("Nothing was changed.");
    expect((await home.tidy(true)).item).toBeNull();
    expect((await home.tidy()).item?.proposals).toHaveLength(4);
  });

  it("proposes again what was put right by hand and came back", async () => {
    const home = await tidyHome({ "overview.md": "# Overview\n\n## Inbox\n\n3 items waiting.\n" });
    const rewrite = async (line: string): Promise<void> => {
      home.write("overview.md", `# Overview\n\n## Inbox\n\n${line}\n`);
      await home.service.rescan();
      await home.service.settled();
    };
    expect((await home.tidy(true)).item?.proposals).toHaveLength(1);
    await rewrite("Nothing waits.");
    expect((await home.tidy(true)).item).toBeNull();
    expect(items(home)).toEqual([]);
    await rewrite("3 items waiting.");
    expect((await home.tidy(true)).item?.proposals).toHaveLength(1);
  });

  it("keeps the overview's count of inbox items right, when it counted this one", async () => {
    const home = await tidyHome({ ...files, "inbox/2026-11-01-x/original.md": "x\n" });
    await home.tidy();
    home.write("overview.md", home.read("overview.md").replace("3 items", "2 items"));
    await home.tidy();
    expect((await home.titles())[0]).toContain("calls loft");
    await home.answer("2");
    expect(home.read("overview.md")).toContain("1 item waiting.");
  });

  it("speaks the language of the vault", async () => {
    const home = await tidyHome({
      "overview.md":
        "# Vue d'ensemble\n\nCe qui occupe les jours, et ce qui ne peut pas attendre.\n\n## Boîte de réception\n\n4 éléments en attente.\n",
    });
    const { item } = await home.tidy();
    expect(item?.ref).toBe("2026-11-18-rangement");
    const { review } = await home.memory.inbox.show("2026-11-18-rangement");
    expect(review).toContain("# Revue : Rangement, 1 proposition\n");
    expect(review).toContain("vault/overview.md donne un nombre faux d’éléments à trier");
    expect((await home.answer("oui")).report?.text).toBe("Rangé : 1 faite.");
  });

  it("finds nothing in an empty vault", async () => {
    const home = await tidyHome({});
    expect(await home.tidy()).toEqual({ item: null, problem: null });
    expect(home.bytes()).toEqual({});
  });
});
