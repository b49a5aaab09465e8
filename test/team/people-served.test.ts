import { expect, it } from "vitest";

import { TOKEN } from "./replica.ts";
import { personWith, servedTeam } from "./served-team.ts";

it("x", async () => {
  const served = await servedTeam();
  const [at = ""] = served.addresses;
  const ana = await personWith(served, "Ana", "house", { "": "editor", hr: "none" });
  const call = async (token: string, name: string, args: object): Promise<string> =>
    (
      await fetch(`${at}/v/house/api/tools/${name}`, {
        method: "POST",
        body: JSON.stringify(args),
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      })
    ).text();
  console.log(await call(TOKEN, "write", { path: "vault/hr/pay.md", content: "secret\n" }));
  console.log(await call(TOKEN, "write", { path: "vault/a.md", content: "open\n" }));
  console.log(await call(ana.token, "tree", {}));
  console.log(
    await call(ana.token, "append", { path: "vault/a.md", content: "x", position: "bottom" }),
  );
  console.log(await call(ana.token, "read", { paths: ["vault/hr/pay.md", "vault/a.md"] }));
  console.log(served.bugs);
  console.log(await served.team.audit.list({ limit: 10 }));
  expect(served.bugs).toEqual([]);
});
