import { SHARED } from "../worker/shared.ts";

/** What another app shared with this one. */
export interface Shared {
  readonly text: string;
  readonly files: readonly File[];
}

/** Takes all that was shared since the last time out of where the page's worker put it. Null when there is nothing. */
export async function takeShared(): Promise<Shared | null> {
  // Only there where the connection is safe.
  if (!("caches" in window) || !(await caches.has(SHARED))) return null;
  const cache = await caches.open(SHARED);
  const texts: string[] = [];
  const files: File[] = [];
  for (const request of await cache.keys()) {
    const form = await (await cache.match(request))?.formData();
    await cache.delete(request);
    if (form === undefined) continue;
    texts.push(sharedText(form));
    files.push(...form.getAll("file").filter((each) => each instanceof File));
  }
  const text = texts.filter((each) => each !== "").join("\n\n");
  return text === "" && files.length === 0 ? null : { text, files };
}

/** Apps put the same address into `text` and `url`, or the title at the beginning of `text`: each is kept once. */
export function sharedText(form: FormData): string {
  const [title = "", text = "", url = ""] = ["title", "text", "url"].map((name) => {
    const given = form.get(name);
    return typeof given === "string" ? given.trim() : "";
  });
  const parts = [text.includes(title) ? "" : title, text, text.includes(url) ? "" : url];
  return parts.filter((part) => part !== "").join("\n\n");
}
