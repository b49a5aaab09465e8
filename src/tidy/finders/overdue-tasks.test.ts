import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { overdueTasks } from "./overdue-tasks.ts";

it("finds tasks whose day is past, in both languages, and leaves them as they are", async () => {
  const files = {
    "tasks.md":
      "# Book the van\nstatus: todo | prio: high | added: 2026-11-01 | project: —\ndeadline: 2026-11-17\n\n# Later\nstatus: todo\ndeadline: 2026-11-18\n",
    "projects/a/tasks.md":
      "---\nx: 1\n---\n\n# Payer la caution\nstatus: en-attente | échéance: 2026-11-02 | projet: a\n\n# Fini\nstatus: fait\ndeadline: 2026-10-01\n",
  };
  const found = await look(files, overdueTasks.find).find();
  expect(found.map(({ title, path, line }) => [title.fr, path, line])).toEqual([
    ["En retard depuis le 2026-11-17 : Book the van (vault/tasks.md)", "tasks.md", 3],
    [
      "En retard depuis le 2026-11-02 : Payer la caution (vault/projects/a/tasks.md)",
      "projects/a/tasks.md",
      6,
    ],
  ]);
  expect(found.flatMap(({ changes }) => changes)).toEqual([]);
});

it.each([
  [
    "a list of its own kind",
    { "tasks.md": "# Todo\n- [ ] x due: 2020-01-01\ndeadline: 2020-01-01\n" },
  ],
  [
    "a vault with another structure",
    { "tasks.md": "# T\nstatus: todo\ndeadline: 2020-01-01\n", "Areas/a.md": "" },
  ],
])("finds nothing in %s", async (_, files) => {
  expect(await titlesOf(files, overdueTasks)).toEqual([]);
});
