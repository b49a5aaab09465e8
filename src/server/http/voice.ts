import { z } from "zod";

/**
 * Whose word a request carries: the `person` typed it, into the page or as text of a command; or a `client` (an AI client, a script) hands over
 * what it has from anywhere.
 */
export const Voice = z.enum(["person", "client"]);
export type Voice = z.infer<typeof Voice>;

/** How a command of this machine says it. Over TCP the header means nothing: there the cookie of the page decides. */
export const VOICE_HEADER = "coffre-voice";

const Door = z.object({ voice: Voice });

/** What a door gives an app beside a request, so that no header can say otherwise. */
export type Door = z.infer<typeof Door>;

/** The word of a client, unless the door or, on this machine, the header says that it is the person's. */
export function voiceOf({ headers }: Request, env: unknown): Voice {
  const door = Door.safeParse(env);
  if (door.success) return door.data.voice;
  return Voice.safeParse(headers.get(VOICE_HEADER)).data ?? "client";
}
