import { expect, it } from "vitest";

import { TOKEN } from "./replica.ts";
import { personWith, servedTeam } from "./served-team.ts";

it("the audit names the notes whose text a search or the history showed, and none that it did not", async () => {
  const served = await servedTeam();
  const ana = await personWith(served, "Ana", "house", { "": "viewer", hr: "none" });
  const send = async (token: string, path: string, body?: object): Promise<string> =>
    (
      await fetch(`${served.addresses[0]}/v/house${path}`, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      })
    ).text();
  for (const path of ["kiln.md", "hr/kiln.md", "boat.md"]) {
    const content = `# ${path}\n\nThe ${path.includes("kiln") ? "kiln" : "boat"} is red.\n`;
    await send(TOKEN, "/api/tools/write", { path: `vault/${path}`, content });
  }
  await send(TOKEN, "/api/tools/delete", { path: "vault/boat.md" });
  const shown = await send(ana.token, "/api/history");
  // The newest is the delete, and before it the note was written.
  const [, id = ""] = [...shown.matchAll(/"id":"([^"]+)"/gu)].map(([, each = ""]) => each);
  expect(await send(ana.token, `/api/history/${id}`)).toContain("boat is red");
  expect(await send(ana.token, "/api/tools/search", { queries: ["kiln"] })).toContain(
    "kiln is red",
  );
  const rows = await served.team.audit.list({ person: ana.id, limit: 10 });
  expect(rows.toReversed().map(({ call, paths }) => [call, ...paths])).toEqual([
    ["GET /api/history"],
    ["GET /api/history/…", "vault/boat.md"],
    ["search", "vault/kiln.md"],
  ]);
  expect(served.bugs).toEqual([]);
});
