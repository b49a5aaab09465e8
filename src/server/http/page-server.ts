import type { Hono } from "hono";

import { Access } from "../auth/access.ts";
import type { Link } from "../api/contract.ts";
import { newLink } from "../auth/login-page.ts";
import { PAGE_FOLDER, PageFiles } from "./page-files.ts";
import { createTcpApp } from "./tcp-app.ts";
import { addressUrl, type TcpAddress } from "./tcp-address.ts";
import { startTcpServer } from "./tcp-server.ts";

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

/** Puts the app within reach of browsers and of programs that speak TCP, who must show the token. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const access = new Access(options.token, options.now);
  const page = new PageFiles(PAGE_FOLDER);
  const { address, close } = await startTcpServer(
    (found) => createTcpApp(options.app, access, found, page),
    options.at,
  );
  const url = addressUrl(address);
  return {
    address: url,
    newLink: () => ({ address: url, link: newLink(access, address) }),
    close,
  };
}
