import { expect, it } from "vitest";

import { agentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { call } from "../../testing/models/house-script.ts";
import type { Script } from "../../testing/models/scripted-model.ts";

const now = (): Date => new Date("2026-11-16T10:00:00");

const LOG = "projects/house/changelog.md";
const files = {
  ...houseFiles,
  [LOG]: "# 2026-11-04\n\n## [decision] Hale does the roof\nFor 4,300, before the frost.\n",
  "overview.md":
    "# Overview\n\n- **house**: the roof, 4,300 by Hale.\n\n## Inbox\n\nNothing waits.\n",
  "projects/house/state.md": "## Roof\n\nHale does it for 4,300.\nIt was 4,300 once more.\n",
  "projects/house/tasks.md": "---\nuntrusted: true\n---\n\n# Pay Hale 4,300\nstatus: todo\n",
  "projects/boat/state.md": "## Status\n\nThe mast cost 4,300.\n",
};

/** The person says that the roof costs more, and the model files it in one call. */
async function answerTo(
  replaces: (line: number) => unknown,
  more: Record<string, string> = {},
): Promise<string> {
  let line = 0;
  const script: Script = [
    { calls: [call("read", { paths: ["vault/projects/house/", "vault/overview.md"] })] },
    () => ({
      calls: [
        call("append", {
          path: `vault/${LOG}`,
          content: "# 2026-11-16\n\n## Hale wants more\n4,800 now.",
          position: "top",
          replaces: replaces(line),
        }),
      ],
    }),
    { text: "Noted." },
  ];
  // Without a task that others wrote, which would limit the run.
  const { "projects/house/tasks.md": _, ...own } = files;
  const home = await agentHome({ ...own, ...more }, script, { now });
  await home.service.settled();
  line =
    home
      .read(LOG)
      .split("\n")
      .findIndex((each) => each.includes("4,300")) + 1;
  await home.remember("Hale wants 4,800 for the roof now.");
  expect(home.bugs).toEqual([]);
  expect(home.read(LOG)).toContain("Replaces: [[");
  return home.model.requests.at(-1)?.last ?? "";
}

it("names the lines of the person's pages that still state what was replaced", async () => {
  const said = await answerTo((line) => [
    { path: `vault/${LOG}`, lines: `${line}`, value: "4,300" },
  ]);
  expect(said).toContain("The old value still stands in:");
  expect(said).toMatch(
    /vault\/overview\.md:\d+ \(4,300\): - \*\*house\*\*: the roof, 4,300 by Hale/u,
  );
  expect(said).toMatch(/vault\/projects\/house\/state\.md:\d+ \(4,300\): Hale does it for 4,300/u);
  // What was, another project, and the entry that stays.
  expect(said).not.toMatch(/once more|mast|before the frost/u);
});

it("names them after a plain edit too, of the person's own notes as well, each once", async () => {
  const { "projects/house/tasks.md": _, ...own } = files;
  const state = "vault/projects/house/state.md";
  const more = {
    "profile.md": "# Profile\n\nOwes Hale 4,300 for the roof.\n",
    "tasks.md": "# Sell the mast for 4,300\nstatus: todo\n",
    "people/Hale.md": "# Hale\n\nThe roofer asks Hale's usual 4,300 for a roof.\n",
    "people/2026-11-01.md": "The roofer Hale said 4,300.\n",
    "web/clip.md": "---\nuntrusted: true\n---\n\nHale's roof: 4,300.\n",
  };
  const edit = (old: string, now_: string): ReturnType<typeof call> =>
    call("edit", { path: state, old_content: old, new_content: now_ });
  const home = await agentHome(
    { ...own, ...more },
    [
      { calls: [call("read", { paths: [state] })] },
      { calls: [edit("Hale does it for 4,300.", "Hale does the roof for 4,800.")] },
      { calls: [edit("It was 4,300 once more.", "It was less.")] },
      { text: "Noted." },
    ],
    { now },
  );
  await home.service.settled();
  await home.remember("Hale wants 4,800 for the roof now.");
  const said = home.model.requests[2]?.last ?? "";
  expect(said).toContain("The old value still stands in:");
  for (const place of ["overview.md", "profile.md", "people/Hale.md"])
    expect(said).toMatch(new RegExp(`vault/${place}:\\d+ \\(4,300\\)`, "u"));
  // A record of what was said, another thing of the same price, text of others.
  expect(said).not.toMatch(/people\/2026|mast|web\/clip|before the frost/u);
  expect(home.model.requests[3]?.last).not.toContain("still stands in");
  expect(home.bugs).toEqual([]);
});

it.each([
  ["that keeps the figure", "It is 4,300 in all."],
  ["that only takes out", ""],
])("names nothing after an edit %s", async (_, text) => {
  const { "projects/house/tasks.md": __, ...own } = files;
  const edit = call("edit", {
    path: "vault/projects/house/state.md",
    old_content: "Hale does it for 4,300.",
    new_content: text,
  });
  const look = call("read", { paths: ["vault/projects/house/state.md"] });
  const home = await agentHome(own, [{ calls: [look, edit] }, { text: "Noted." }], { now });
  await home.service.settled();
  await home.remember("On the roof.");
  expect(home.model.requests[1]?.last).toContain("Edited vault/projects/house/state.md");
  expect(home.model.requests[1]?.body).not.toContain("still stands in");
});

it("takes one object where a list is meant, and names nothing when nothing is left", async () => {
  const more = {
    "overview.md": "# Overview\n\n## Inbox\n\nNothing waits.\n",
    "projects/house/state.md": "## Roof\n\nHale does it.\n",
  };
  const one = (line: number): unknown => ({
    path: `vault/${LOG}`,
    lines: `${line}`,
    value: "4,300",
  });
  expect(await answerTo(one)).toContain("still stands in");
  expect(await answerTo(one, more)).not.toContain("still stands in");
});

it("shows no line of a page that others wrote", async () => {
  const tasks = "projects/house/tasks.md";
  const script: Script = [
    { calls: [call("read", { paths: [`vault/${LOG}`] })] },
    ({ last }) => ({
      calls: [
        call("append", {
          path: `vault/${LOG}`,
          content: "# 2026-11-16\n\n## Hale wants more\n4,800 now.",
          position: "top",
          replaces: [
            { path: LOG, lines: /(\d+) +\| For 4,300/u.exec(last)?.[1] ?? "1", value: "4,300" },
          ],
        }),
      ],
    }),
    { text: "Noted." },
  ];
  const home = await agentHome(
    { ...houseFiles, [LOG]: files[LOG], [tasks]: files[tasks] },
    script,
    {
      now,
    },
  );
  await home.service.settled();
  await home.remember("Hale wants 4,800 for the roof now.");
  expect(home.read(LOG)).toContain("Replaces: [[");
  expect(home.model.requests.at(-1)?.body).not.toContain("Pay Hale");
});
