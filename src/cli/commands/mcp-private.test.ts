import { expect, it } from "vitest";

import { temporaryPlace } from "../testing/cli.ts";
import { connectMcp } from "../testing/mcp-client.ts";

it("coffre mcp does not show what is private, as the owner and through another", async () => {
  const place = temporaryPlace({
    "journal/diary.md": "The kiln is hot.\n",
    "a.md": "The kiln.\n",
    "b.md": "---\nprivate: true\n---\nThe kiln is mine.\n",
  });
  await place.run(["private", "add", "journal"]);
  for (const { text } of [await connectMcp(place), await connectMcp(place)]) {
    const shown = `${await text("tree", {})}\n${await text("search", { queries: ["kiln"] })}`;
    expect(shown).toContain("a.md");
    expect(shown).not.toMatch(/journal|b\.md|hot|mine/u);
  }
  // The person's commands reach the same service.
  expect((await place.run(["search", "kiln"])).stdout).toMatch(
    /journal[^]*b\.md|b\.md[^]*journal/u,
  );
});
