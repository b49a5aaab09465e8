import type { Services } from "../api/services.ts";
import { takeShared } from "../composer/shared.ts";
import { texts } from "../texts/texts.ts";
import { showToast } from "../ui/toasts.tsx";
import { HOME } from "./addresses.ts";

/** Puts what other apps shared into the input, for a person to see before it is sent. */
export async function receiveShared({
  composer,
  router,
}: Pick<Services, "composer" | "router">): Promise<void> {
  const shared = await takeShared();
  if (shared !== null) composer.share(shared.text, shared.files);
  if (router.place.get().view !== "share") return;
  router.replace(HOME);
  if (shared === null) showToast({ text: texts.composer.sharedNothing });
}
