import type { Hono } from "hono";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { PrivateFolders } from "../../private-folders.ts";
import { showPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { checked, jsonBody } from "../http/request.ts";
import { voiceOf } from "../http/voice.ts";
import type { PrivateAnswer } from "./contract.ts";

const PrivateBody = z.strictObject({
  add: z.array(z.string().min(1)).default([]),
  remove: z.array(z.string().min(1)).default([]),
});

/** `GET` and `POST /api/private`: what is hidden from models. Those who read for one have no such route. */
export function addPrivateRoutes(app: Hono, privates: PrivateFolders, vault: VaultReader): void {
  const answer = async (): Promise<PrivateAnswer> => {
    const paths: string[] = [];
    for (const path of privates.paths) {
      const { kind } = await vault.find(path);
      paths.push(showPath(path, kind === "folder" ? "folder" : "file"));
    }
    return { paths };
  };

  app.get("/api/private", async (c) => c.json(await answer()));

  app.post("/api/private", async (c) => {
    const subject = 'Send {"add": ["vault/…"]} or {"remove": ["vault/…"]}';
    if (voiceOf(c.req.raw, c.env) !== "person") {
      throw new ExpectedError(
        "no_permission",
        "Only the person says what is private: coffre private, or the page.",
      );
    }
    const { add, remove } = checked(PrivateBody, await jsonBody(c.req.raw), subject);
    for (const path of add) await privates.add(path, vault);
    for (const path of remove) await privates.remove(path);
    return c.json(await answer());
  });
}
