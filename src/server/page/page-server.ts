import { Hono } from "hono";

import { LOCAL_ONLY } from "../api/backup-routes.ts";
import type { Link } from "../api/contract.ts";
import { Access } from "../auth/access.ts";
import { guardOrigin, guardToken, refuseTokenInUrl, tcpVoice } from "../auth/guards.ts";
import { compressAnswers } from "../http/compress.ts";
import { startTcpServer } from "../http/http-server.ts";
import { problemResponse } from "../http/problem.ts";
import { addressUrl, type TcpAddress } from "../http/tcp-address.ts";
import type { Door } from "../http/voice.ts";
import { appRoutes, iconRoutes } from "./app-routes.ts";
import { assetRoutes } from "./asset-routes.ts";
import { loginRoutes, newLink } from "./login-page.ts";
import { SHARE_PATH } from "./manifest.ts";
import { PAGE_FOLDER } from "./page-files.ts";
import { securityHeaders } from "./security-headers.ts";

export interface PageServer {
  readonly address: string;
  newLink(): Link;
  close(): Promise<void>;
}

export interface PageServerOptions {
  readonly app: Hono;
  readonly token: string;
  readonly at: TcpAddress;
  readonly now: () => Date;
}

/** Serves the app to browsers and to programs over TCP, which must show the token. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const access = new Access(options.token, options.now);
  const { address, close } = await startTcpServer(
    (found) => createTcpApp(options.app, access, found, PAGE_FOLDER),
    options.at,
  );
  const url = addressUrl(address);
  return {
    address: url,
    newLink: () => ({ address: url, link: newLink(access, address) }),
    close,
  };
}

/**
 * The app behind its guards: any program on this machine can connect to a port, and so can browsers on behalf of any page. Without the token
 * only the login page is served.
 * @param page the folder of the built page
 */
export function createTcpApp(app: Hono, access: Access, address: TcpAddress, page: string): Hono {
  const guarded = new Hono();
  guarded.use(securityHeaders, compressAnswers);
  // Nothing is read of what is shared, so it may come from anywhere: browsers name no page of ours as its origin.
  guarded.post(SHARE_PATH, (c) => c.redirect(SHARE_PATH, 303));
  guarded.use(guardOrigin(address), refuseTokenInUrl(access));
  guarded.route("/", iconRoutes(page));
  guarded.route("/", loginRoutes(access, address, page));
  guarded.use(guardToken(access, address));
  guarded.route("/", appRoutes(page));
  guarded.route(
    "/",
    assetRoutes(page, async (c) => app.fetch(c.req.raw, c.env)),
  );
  for (const path of LOCAL_ONLY) {
    guarded.all(path, () =>
      problemResponse({
        code: "no_permission",
        message: `${path} is not reached over TCP, only by commands of this user on this machine.`,
      }),
    );
  }
  guarded.all("*", async (c) => {
    const door: Door = { voice: tcpVoice(c) };
    return app.fetch(c.req.raw, Object.assign({}, c.env, door));
  });
  return guarded;
}
