import { z } from "zod";

import type { TemporaryPlace } from "../../src/cli/testing/cli.ts";
import type { Profile } from "../../src/tools/define.ts";

/** All there may be in an answer: a client that is given anything else fails. */
export const Content = z.array(
  z.union([
    z.strictObject({ type: z.literal("text"), text: z.string() }),
    z.strictObject({ type: z.literal("image"), data: z.string(), mimeType: z.string() }),
  ]),
);

export interface Answer {
  readonly content: z.infer<typeof Content>;
  readonly isError: boolean;
}

/** What can be asked of us with either library, in whichever version of the protocol. */
export interface AnyClient {
  /** As the server said when it was greeted. */
  readonly version: string | undefined;
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>): Promise<Answer>;
  resources(): Promise<string[]>;
  readResource(uri: string): Promise<unknown[]>;
  /** Has `onTold` called when the server tells that the resource is another. */
  subscribe(uri: string, onTold: (uri: string) => void): Promise<void>;
  prompts(): Promise<string[]>;
  prompt(name: string, args: Record<string, string>): Promise<unknown[]>;
}

export type Transport = "stdio" | "HTTP";

export interface Connecting {
  readonly transport: Transport;
  readonly version: string;
  readonly profile: Profile;
}

/** A vault's two folders. */
export type Place = Pick<TemporaryPlace, "root" | "state">;

/** Connects a client to a vault: to a `coffre mcp` of its own, or to the `coffre serve` that runs there. */
export type Connect = (place: Place, connecting: Connecting) => Promise<AnyClient>;

/** The text of an answer that is no refusal. */
export function textOf({ content, isError }: Answer): string {
  const text = content.map((part) => (part.type === "text" ? part.text : "<image>")).join("\n");
  if (isError) throw new Error(`refused: ${text}`);
  return text;
}
