import { describe, expect, it } from "vitest";

import { agentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call, FILE, NOTE, REPORT } from "../../testing/models/house-script.ts";
import { withCount } from "./inbox-line.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

describe("what an update begins with", () => {
  it("shows the likely project's state and tasks, which count as read: a fact takes two turns", async () => {
    const home = await agentHome(houseFiles, [FILE, REPORT], { now });
    await home.service.settled();
    const { status } = await home.remember(NOTE);
    const told = home.model.requests[0]?.body ?? "";
    for (const part of ["Monday 2026-11-16", "Deposit not paid.", "# Pay the deposit to Hale"])
      expect(told).toContain(part);
    expect(told).toContain("Projects: boat, house.");
    expect({ status, failed: failures(home.events) }).toEqual({ status: "done", failed: 0 });
  });

  it("shows the passages nearest to the note, but none that others wrote", async () => {
    const marked = "---\nuntrusted: true\n---\n\n# Varnish\n\nThe varnish of the dinghy: xyzzy.\n";
    const files = {
      ...houseFiles,
      "projects/boat/web.md": marked,
      "bucket/v.md": "Varnish, xyzzy.\n",
    };
    const home = await agentHome(files, [{ text: "?" }], { now });
    await home.service.settled();
    await home.remember("The hull was sanded, and the varnish came before the rain.");
    const told = home.model.requests[0]?.body ?? "";
    expect(told).toContain("Hull sanded");
    expect(told).not.toContain("xyzzy");
  });

  it("does not let a page be edited of which it showed only a part", async () => {
    const state = `## Status\n\nActive.\n\n${"Much to say about Hale and the roof.\n".repeat(200)}`;
    const files = { ...houseFiles, "projects/house/state.md": state };
    const path = "vault/projects/house/state.md";
    const edit = call("edit", { path, old_content: "Active.", new_content: "Done." });
    const home = await agentHome(files, [{ calls: [edit] }, { text: "No." }], { now });
    await home.remember("Hale is done with the roof");
    expect(failures(home.events)).toBe(1);
  });
});

function failures(
  events: readonly { readonly type: string; readonly isError?: boolean }[],
): number {
  return events.filter((event) => event.type === "result" && event.isError === true).length;
}

describe("a vault with a structure of its own", () => {
  const files = {
    "AGENTS.md": "# Rules\n\nPeople go into People/, one note each.\n",
    "Daily/2026-11-14.md": "# 2026-11-14\n\n- rain #weather\n",
    "Daily/2026-11-15.md": "# 2026-11-15\n\n- sun #weather\n",
    "People/Hale.md": "# Hale\n\nRoofer.\n",
    "Templates/person.md": "# {{name}}\n",
  };

  it("is described by its folders, habits and rules, and not as ours", async () => {
    const home = await agentHome(files, [{ text: "?" }], { now });
    await home.service.settled();
    await home.remember("Hale came on Friday");
    const told = (home.model.requests[0]?.body ?? "").replaceAll(String.raw`\n`, "\n");
    for (const part of [
      "Make no projects/ folder unless the note asks for one.",
      "vault/Daily/ (2 files)",
      "Daily notes: 2, the newest vault/Daily/2026-11-15.md.",
      "Templates, for new notes: vault/Templates/",
      "Tags in use: #weather",
      "People go into People/, one note each.",
    ])
      expect(told).toContain(part);
  });

  it("is not given a projects/ folder", async () => {
    const make = { path: "vault/projects/roof/state.md", content: "# Roof\n" };
    const home = await agentHome(files, [{ calls: [call("write", make)] }, { text: "No." }], {
      now,
    });
    await home.remember("Hale came on Friday");
    expect(home.model.requests[1]?.last).toContain("has no projects/ folder");
    const asked = await agentHome(files, [{ calls: [call("write", make)] }, REPORT], { now });
    await asked.remember("Start a project for the roof");
    expect(asked.read("projects/roof/state.md")).toContain("# Roof");
  });
});

describe("the overview's line on the inbox", () => {
  it.each([
    ["## Inbox\n\nNothing waits.\n", 2, "## Inbox\n\n2 items waiting.\n"],
    [
      "## Inbox\n\n1 item waiting: a note\nabout Jo.\n\nMine.\n",
      0,
      "## Inbox\n\nNothing waits.\n\nMine.\n",
    ],
    [
      "## Boîte de réception\n\n1 élément en attente : un mémo.\n",
      3,
      "## Boîte de réception\n\n3 éléments en attente.\n",
    ],
    [
      "# A\r\n\r\n## Inbox\r\n\r\nNothing waits.\r\n",
      1,
      "# A\r\n\r\n## Inbox\r\n\r\n1 item waiting.\r\n",
    ],
    ["## Inbox\n\n1 item waiting: a note.\n", 1, null],
    ["## Inbox\n\nI look at it on Fridays.\n", 1, null],
    ["# Nothing of the kind\n", 1, null],
  ])("%j with %d items is %j", (text, count, expected) => {
    expect(withCount(text, count)).toBe(expected);
  });
});
