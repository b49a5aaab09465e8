/**
 * Lets the browser keep the page's own files, and install it as an app. Only where the connection is safe, which is this machine or HTTPS:
 * elsewhere browsers have no workers.
 */
export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/worker.js", { updateViaCache: "none" }).catch(() => {
    // The page works without it: the service may just have gone away, and private windows have none.
  });
}
