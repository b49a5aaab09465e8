import { describe, expect, it } from "vitest";

import { agentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { SECRET_KEY } from "../../testing/models/scripted-model.ts";
import {
  call,
  ENTRY,
  FILE,
  LOOK,
  NOTE,
  PIXEL,
  REPORT,
  UNSURE,
} from "../../testing/models/house-script.ts";
import { snapshotOf } from "../../testing/tree-snapshot.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

describe.each(["openai", "anthropic"] as const)("the update agent, over %s", (format) => {
  it("files a clear note: state edited, task added, one changelog entry, the map updated", async () => {
    const home = await agentHome(houseFiles, [LOOK, FILE, REPORT], { format, now });
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("done");
    expect(home.read("projects/house/state.md")).toContain("Starts on 2026-11-20. Deposit of 400");
    expect(home.read("projects/house/tasks.md")).toContain("# Order the slates");
    expect(home.read("projects/house/tasks.md")).not.toContain("Pay the deposit");
    expect(home.read("overview.md")).toContain("the roof. Starts on 2026-11-20.");
    const changelog = home.read("projects/house/changelog.md");
    expect(changelog.split("\n## ")).toHaveLength(3);
    expect(changelog).toContain(`${ENTRY}\n\n# 2026-11-04`);
    expect(report).toMatchObject({
      outcome: "filed",
      text: REPORT.text,
      inbox: null,
      steps: 3,
      touched: [
        { path: "vault/projects/house/state.md", change: "changed" },
        { path: "vault/projects/house/tasks.md", change: "changed" },
        { path: "vault/projects/house/changelog.md", change: "changed" },
        { path: "vault/overview.md", change: "changed" },
      ],
    });
    expect(home.bugs).toEqual([]);
  });

  it("makes one batch of a run, which one undo takes back", async () => {
    const home = await agentHome(houseFiles, [LOOK, FILE, REPORT], { format, now });
    const { vault } = home.service;
    const textOf = (name: string): string => home.read(name).replace(/^---\n.*?---\n/su, "");
    await home.service.settled();
    const before = textOf("projects/house/state.md");
    const { report } = await home.remember(NOTE);
    const batch = report?.batch ?? "";
    expect(await vault.entries(batch)).toHaveLength(5);
    await vault.undo(batch, { actor: "test", force: false });
    await home.service.settled();
    expect(textOf("projects/house/state.md")).toBe(before);
    expect(home.read("overview.md")).toContain("Start not known");
  });

  it("leaves an ambiguous note in the inbox, with its original and a question", async () => {
    const home = await agentHome(houseFiles, [LOOK, UNSURE, { text: "Asked." }], { format, now });
    const { status, report } = await home.remember("Two tins of varnish came.");
    expect(status).toBe("parked");
    expect(report?.inbox).toBe("2026-11-16-varnish");
    expect(home.read("inbox/2026-11-16-varnish/original.md")).toContain(
      "Two tins of varnish came.",
    );
    expect(await home.memory.inbox.list()).toEqual([
      {
        ref: "2026-11-16-varnish",
        path: "vault/inbox/2026-11-16-varnish/",
        title: "two tins of varnish",
        question: "Is it for the boat or for the floor of the house?",
        originals: ["vault/inbox/2026-11-16-varnish/original.md"],
      },
    ]);
  });

  it("files the item when it is answered, and its folder is gone", async () => {
    const answered = {
      calls: [
        call("read", { paths: "vault/projects/boat/state.md" }),
        call("edit", {
          path: "vault/projects/boat/state.md",
          old_content: "The varnish is ordered.",
          new_content: "Two tins of varnish are there.",
        }),
        call("append", {
          path: "vault/projects/boat/changelog.md",
          content: "# 2026-11-16\n\n## Varnish came\nTwo tins.",
          position: "top",
        }),
        call("delete", { path: "vault/inbox/2026-11-16-varnish/" }),
      ],
    };
    const script = [UNSURE, { text: "Asked." }, answered, { text: "Filed with the boat." }];
    const home = await agentHome(houseFiles, script, { format, now });
    const { report } = await home.remember("Two tins of varnish came.");
    const inboxRef = report?.inbox ?? "";
    const second = await home.remember("the boat", { inboxRef });
    expect(second).toMatchObject({ status: "done", report: { outcome: "filed", inbox: null } });
    expect(home.read("projects/boat/state.md")).toContain("Two tins of varnish are there.");
    expect(await home.memory.inbox.count()).toBe(0);
    const told = home.model.requests[2]?.body ?? "";
    for (const part of ["the boat", "for the floor of the house?", "Two tins of varnish came."])
      expect(told).toContain(part);
  });

  it("removes an answered item that the model forgot, once something was filed", async () => {
    const answered = {
      calls: [
        call("append", {
          path: "vault/projects/boat/changelog.md",
          content: "# 2026-11-16\n\n## Varnish came",
          position: "top",
        }),
      ],
    };
    const script = [UNSURE, { text: "Asked." }, answered, { text: "Filed." }];
    const home = await agentHome(houseFiles, script, { format, now });
    const { report } = await home.remember("Two tins of varnish came.");
    await home.remember("boat", { inboxRef: report?.inbox ?? "" });
    expect(await home.memory.inbox.count()).toBe(0);
  });

  it("lets nothing but the item be deleted while it is answered", async () => {
    const answered = { calls: [call("delete", { path: "vault/projects/house/" })] };
    const script = [UNSURE, { text: "Asked." }, answered, { text: "Could not." }];
    const home = await agentHome(houseFiles, script, { format, now });
    const { report } = await home.remember("Two tins of varnish came.");
    const second = await home.remember("boat", { inboxRef: report?.inbox ?? "" });
    expect(home.model.requests[3]?.last).toContain("cannot be moved or deleted");
    expect(home.read("projects/house/state.md")).toContain("Start not known");
    expect(second).toMatchObject({ status: "parked", report: { inbox: report?.inbox } });
  });

  it("answers a call of a tool it does not have, and goes on", async () => {
    const script = [{ calls: [call("concat", { files: [] })] }, LOOK, FILE, REPORT];
    const home = await agentHome(houseFiles, script, { format, now });
    const { status } = await home.remember(NOTE);
    expect(status).toBe("done");
    expect(home.model.requests[1]?.last).toContain("There is no tool");
    expect(home.model.requests[0]?.tools).toEqual([
      "tree",
      "read",
      "search",
      "write",
      "edit",
      "append",
      "move",
      "delete",
    ]);
  });

  it("explains invalid arguments, and arguments that are no JSON", async () => {
    const script = [
      { calls: [call("append", { path: "vault/tasks.md", text: "x" })] },
      { calls: [call("append", "{not json")] },
      LOOK,
      FILE,
      REPORT,
    ];
    const home = await agentHome(houseFiles, script, { format, now });
    const { status } = await home.remember(NOTE);
    expect(status).toBe("done");
    expect(home.model.requests[1]?.last).toContain("It takes: path, content, position, replaces.");
    expect(home.model.requests[2]?.last).toContain("not a JSON object");
    expect(home.read("tasks.md")).not.toContain("x\n");
  });

  it("gives the model the error it can recover from", async () => {
    const old_content = "Asleep until spring.";
    const boat = { path: "vault/projects/boat/state.md", old_content, new_content: "Afloat." };
    const unread = { calls: [call("edit", boat)] };
    const home = await agentHome(houseFiles, [unread, LOOK, FILE, REPORT], { format, now });
    const { status } = await home.remember(NOTE);
    expect(home.model.requests[1]?.last).toContain("read it first");
    expect(status).toBe("done");
    expect(home.events).toContainEqual(
      expect.objectContaining({ type: "result", tool: "edit", isError: true }),
    );
  });

  it("ends an endless loop with a forced answer, and what is left waits in the inbox", async () => {
    const home = await agentHome(
      houseFiles,
      ({ toolChoice }) =>
        toolChoice === "none"
          ? { text: "I only looked around." }
          : { calls: [call("tree", { path: "vault" })] },
      { format, now, limits: { steps: 4 } },
    );
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("parked");
    expect(home.model.requests).toHaveLength(5);
    expect(home.model.requests.at(-1)?.last).toContain("limit of 4 steps");
    const review = home.read(`inbox/${report?.inbox}/review.md`);
    expect(review).toContain("The limit of 4 steps was reached. I only looked around.");
    expect(home.read(`inbox/${report?.inbox}/original.md`)).toContain(NOTE);
  });

  it("ends a run that has used up its tokens, and lists what it had done", async () => {
    const home = await agentHome(
      houseFiles,
      [LOOK, FILE, { calls: [call("tree", {})] }, { text: "Half of it." }],
      { format, now, limits: { tokens: 3000 } },
    );
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("parked");
    const review = home.read(`inbox/${report?.inbox}/review.md`);
    expect(review).toContain("The limit of 3000 tokens was reached. Half of it.");
    expect(review).toContain("- vault/projects/house/state.md (changed)");
  });

  it("ends a run that takes too long", async () => {
    const never = new Promise(() => {});
    const home = await agentHome(
      houseFiles,
      ({ toolChoice }) => (toolChoice === "none" ? { text: "Too slow." } : { until: never }),
      { format, now, limits: { time: 200 } },
    );
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("parked");
    expect(report?.text).toMatch(/^Not filed: .* seconds was reached\. Too slow\.$/u);
  });

  it("asks again when the connection drops in the middle of an answer", async () => {
    const dropped = { text: "I will look at the house first and then", drops: true };
    const home = await agentHome(houseFiles, [dropped, LOOK, FILE, REPORT], { format, now });
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("done");
    expect(home.events).toContainEqual(expect.objectContaining({ type: "retry" }));
    expect(report?.text).toBe(REPORT.text);
    expect(home.read("projects/house/changelog.md").match(/Hale starts/gu)).toHaveLength(1);
  });

  it("waits out a storm of refusals", async () => {
    const busy = { status: 429, retryAfter: 0 };
    const script = [busy, { status: 503 }, busy, LOOK, FILE, REPORT];
    const home = await agentHome(houseFiles, script, { format, now });
    const { status } = await home.remember(NOTE);
    expect(status).toBe("done");
    expect(home.events.filter(({ type }) => type === "retry")).toHaveLength(3);
  });

  it("takes back what it wrote when the model is gone for good, and keeps the note in the inbox", async () => {
    const home = await agentHome(
      houseFiles,
      ({ last }) =>
        last.includes("Changed") || last.includes("History:")
          ? { status: 529 }
          : last.includes("state.md")
            ? FILE
            : LOOK,
      { format, now },
    );
    await home.service.settled();
    const before = snapshotOf(home.service.vault.root);
    const { status, report } = await home.remember(NOTE);
    expect(status).toBe("parked");
    expect(home.read(`inbox/${report?.inbox}/review.md`)).toContain("it answered 529");
    expect(home.read("projects/house/state.md")).toContain("Start not known");
    await home.service.vault.undo(report?.batch ?? "", { actor: "test", force: false });
    await home.service.settled();
    expect(Object.keys(snapshotOf(home.service.vault.root))).toEqual(Object.keys(before));
  });

  it("does not ask again when the key is refused, and shows the key nowhere", async () => {
    const home = await agentHome(houseFiles, () => ({ status: 401 }), { format, now });
    const { report, error } = await home.remember(NOTE);
    expect(home.model.requests).toHaveLength(1);
    expect(
      home.model.requests[0]?.headers[format === "openai" ? "authorization" : "x-api-key"],
    ).toContain(SECRET_KEY);
    expect(report?.text).toContain("Check its key");
    const told = JSON.stringify([report, error, home.events, await home.service.status()]);
    expect(told).not.toContain(SECRET_KEY);
    expect(home.read(`inbox/${report?.inbox}/review.md`)).not.toContain(SECRET_KEY);
  });

  it("shows an image to the model, which moves it into a bucket", async () => {
    const script = [
      {
        calls: [
          call("move", {
            from: "vault/inbox/2026-11-16-the-roof-today/roof.png",
            to: "vault/projects/house/bucket/2026-11-16-roof.png",
          }),
          call("append", {
            path: "vault/projects/house/changelog.md",
            content: "# 2026-11-16\n\n## Photo of the roof",
            position: "top",
          }),
        ],
      },
      { calls: [call("read", { paths: "vault/projects/house/bucket/2026-11-16-roof.png" })] },
      { text: "Photo filed." },
    ];
    const home = await agentHome(houseFiles, script, { format, now });
    const images = [{ name: "Roof.PNG", data: PIXEL }];
    const { status, report } = await home.remember("The roof today", { images });
    expect(status).toBe("done");
    expect(home.model.requests[0]?.last).toContain(PIXEL);
    // And again, as the result of a tool.
    expect(home.model.requests[2]?.last).toContain(PIXEL);
    expect(home.read("projects/house/bucket/2026-11-16-roof.png")).toContain("PNG");
    expect(await home.memory.inbox.count()).toBe(0);
    expect(report?.touched.map(({ path }) => path)).toEqual([
      "vault/projects/house/bucket/2026-11-16-roof.png",
      "vault/projects/house/changelog.md",
    ]);
  });

  it("runs calls that look at the same time, and those that change one after another", async () => {
    const home = await agentHome(houseFiles, [LOOK, FILE, REPORT], { format, now });
    await home.remember(NOTE);
    const order = home.events.flatMap((event) =>
      event.type === "call" || event.type === "result" ? [`${event.type} ${event.tool}`] : [],
    );
    expect(order.slice(0, 2)).toEqual(["call search", "call read"]);
    expect(order.slice(4, 8)).toEqual(["call edit", "result edit", "call append", "result append"]);
  });

  it("counts the tokens of a run, and tells of its thinking and its end", async () => {
    const home = await agentHome(houseFiles, [LOOK, FILE, REPORT], { format, now });
    const { report } = await home.remember(NOTE);
    expect(report?.usage).toEqual({ input: 3000, output: 150, cached: 0 });
    expect(home.events).toContainEqual({ type: "thinking", text: "Hale is the roofer." });
    expect(home.events.at(-1)).toEqual({ type: "done", steps: 3, usage: report?.usage });
  });
});

describe("prompt caching", () => {
  it("marks the instructions and the end of the conversation for Anthropic", async () => {
    const home = await agentHome(houseFiles, [LOOK, FILE, REPORT], { format: "anthropic", now });
    await home.remember(NOTE);
    const bodies = home.model.requests.map(({ body }) => JSON.parse(body));
    expect(bodies[1].system[0].cache_control).toEqual({ type: "ephemeral" });
    expect(JSON.stringify(bodies[1].messages.at(-1))).toContain('"cache_control"');
    expect(JSON.stringify(bodies[1].messages[0])).not.toContain('"cache_control"');
  });
});
