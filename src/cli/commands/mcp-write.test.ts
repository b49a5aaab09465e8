import { expect, it } from "vitest";

import { temporaryPlace } from "../testing/cli.ts";
import { connectMcp } from "../testing/mcp-client.ts";

const FILES = { "a.md": "The pump\n", "projects/x/state.md": "The oars\n" };
const append = { content: "x", position: "bottom" };

it("coffre mcp --write bounds one client, as the owner and through another", async () => {
  const place = temporaryPlace(FILES);
  const bounded = [
    await connectMcp(place, { writes: ["projects/x/**"] }),
    await connectMcp(place, { writes: ["projects/x/**"] }),
  ];
  const free = await connectMcp(place);
  for (const { call, text } of bounded) {
    await text("append", { path: "projects/x/state.md", ...append });
    expect(await call("append", { path: "a.md", ...append })).toMatchObject({ isError: true });
  }
  await free.text("append", { path: "a.md", ...append });
});

it.each([
  [["--write", "../x"], 1, "the vault"],
  [["--write", "projects/x", "--profile", "search"], 2, "--write bounds the profile update"],
])("coffre mcp %j is refused", async (argv, code, why) => {
  const { run } = temporaryPlace(FILES);
  const ran = await run(["mcp", ...argv]);
  expect(ran).toMatchObject({ code, stdout: "" });
  expect(ran.stderr).toContain(why);
});
