import { describe, expect, it } from "vitest";

import { agentHome, houseFiles } from "../testing/agent-home.ts";

const OVERVIEW =
  "You chose Hale because he starts before the frost; the decision is in the changelog.";

describe.each(["openai", "anthropic"] as const)("the search agent, over %s", (format) => {
  it("answers with its overview and the sources as concat gives them", async () => {
    const { memory, model } = await agentHome(
      houseFiles,
      [
        { calls: [{ name: "search", args: { queries: ["why Hale"] } }] },
        {
          text: OVERVIEW,
          calls: [
            {
              name: "concat",
              args: { files: [{ path: "vault/projects/house/changelog.md", lines: "1-4" }] },
            },
          ],
        },
      ],
      { format },
    );
    const { answer, overview, sources } = await memory.recall("Why did we choose Hale?");
    expect(overview).toBe(OVERVIEW);
    expect(sources).toEqual([{ path: "vault/projects/house/changelog.md", lines: "1-4" }]);
    expect(answer).toMatch(
      /^You chose Hale[^\n]*\n\n---\n\n```vault\/projects\/house\/changelog.md \(lines 1-4\)\n1 {2}\| /u,
    );
    expect(model.requests).toHaveLength(2);
  });
});
