import { expect, it, onTestFinished } from "vitest";

import { createService } from "../../compose.ts";
import { home, update } from "../../testing/service-home.ts";
import { createSession } from "../../tools/session.ts";
import { createApp } from "./app.ts";

it("a person's notes get no frontmatter when a task is ticked, a link follows a move, or a section is edited", async () => {
  const at = home({
    "tasks.md": "# Tasks\r\n\r\n- [ ] call the roofer\r\n- [ ] pay\r\n",
    "links.md": "See [[old]] and [it](old.md).\n",
    "old.md": "# Old\n",
    "part.md": "# Part\n\nBefore.\n",
  });
  const service = await createService({ root: at.root, state: at.state });
  onTestFinished(() => service.close());
  await service.settled();
  const bugs: unknown[] = [];
  const onBug = (bug: unknown): void => void bugs.push(bug);
  const app = createApp({ service, version: "1", now: () => new Date(), onBug });
  const tick = { path: "vault/tasks.md", line: 3, text: "- [ ] call the roofer", done: true };
  const ticked = await app.request("/api/note/task", {
    method: "POST",
    headers: { "content-type": "application/json", "coffre-client": "page" },
    body: JSON.stringify(tick),
  });
  expect(ticked.status).toBe(200);
  const moved = await update(service, "move", { from: "old.md", to: "new.md" });
  expect(moved.isError).toBe(false);
  const edit = { path: "part.md", section: "Part", new_content: "After.\n" };
  const session = createSession("test");
  await update(service, "read", { paths: ["part.md"] }, session);
  expect((await update(service, "edit", edit, session)).isError).toBe(false);
  await service.settled();
  expect(service.frontmatter.policy).toBe("own");
  expect(at.read("tasks.md")).toBe("# Tasks\r\n\r\n- [x] call the roofer\r\n- [ ] pay\r\n");
  expect(at.read("links.md")).toBe("See [[new]] and [it](new.md).\n");
  expect(at.read("new.md")).toBe("# Old\n");
  expect(at.read("part.md")).toBe("# Part\n\nAfter.\n");
  expect(bugs).toEqual([]);
});
