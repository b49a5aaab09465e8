/// <reference lib="webworker" />
import { awayDocument } from "./away-document.ts";
import { SHARE, SHARED } from "./shared.ts";

declare const self: ServiceWorkerGlobalScope;

/* From the build: the addresses of the page's own files, what this build is called, and two of the files. */
declare const PAGE_FILES: readonly string[];
declare const PAGE_BUILD: string;
declare const PAGE_STYLE: string;
declare const RETRY_SCRIPT: string;

const APP = "coffre-app-";
const CACHE = `${APP}${PAGE_BUILD}`;

/*
 * Makes the page an app: its own files come from the cache, so that every view and the editor open when the service is away, and a document
 * says so when the page itself cannot be loaded. Data never passes through here: no note is cached, so none is shown that may be stale.
 */

self.addEventListener("install", (event) => {
  event.waitUntil(keepFiles());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldFiles());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "GET" && pathname.startsWith("/assets/")) {
    event.respondWith(fileOf(request));
  } else if (request.mode === "navigate" && request.destination === "document") {
    if (request.method === "GET") event.respondWith(visit(request));
    else if (request.method === "POST" && pathname === SHARE) event.respondWith(share(request));
  }
});

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(PAGE_FILES);
}

/** Only when no page of an older build is open any more: until then its worker serves it. */
async function forgetOldFiles(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(APP) && name !== CACHE);
  await Promise.all(old.map(async (name) => caches.delete(name)));
  await self.clients.claim();
}

async function fileOf(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** What a proxy answers when the service behind it does not. */
const AWAY = new Set([502, 503, 504]);

async function visit(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    return AWAY.has(response.status) ? shell() : response;
  } catch {
    return shell();
  }
}

function shell(): Response {
  return awayDocument(navigator.languages, { style: PAGE_STYLE, retry: RETRY_SCRIPT });
}

/**
 * What other apps share is not sent to the service from here, where no person has seen it: it waits in this browser until the page puts it
 * into its input, also while the service is away.
 */
async function share(request: Request): Promise<Response> {
  const given = await request.formData();
  const cache = await caches.open(SHARED);
  await cache.put(`${SHARE}/${crypto.randomUUID()}`, new Response(given));
  return Response.redirect(SHARE, 303);
}
