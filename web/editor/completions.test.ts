import { CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { EditorState } from "@codemirror/state";
import { describe, expect, it } from "vitest";

import { completions } from "./completions.ts";

const PATHS = ["vault/notes.md", "vault/north.md", "vault/loft/plan.md", "vault/plan.md"];
const source = completions(
  () => PATHS,
  async () => ["rigging", "rig", "roof"],
);

function at(text: string): CompletionContext {
  return new CompletionContext(EditorState.create({ doc: text }), text.length, false);
}

async function offer(text: string): Promise<CompletionResult | null> {
  return source(at(text));
}

/** The list as it is right after a further key. */
function typeOn(offered: CompletionResult | null, text: string): CompletionResult | null {
  if (offered?.update === undefined) throw new Error("nothing is offered");
  return offered.update(offered, offered.from, text.length, at(text));
}

function labels(offered: CompletionResult | null): string[] | undefined {
  return offered?.options.map(({ label }) => label);
}

describe("completions while one types on", () => {
  it("of links are narrowed at once, key by key", async () => {
    const offered = await offer("See [[no");
    expect(labels(offered)).toEqual(["north", "notes"]);
    const narrower = typeOn(offered, "See [[not");
    expect(labels(narrower)).toEqual(["notes"]);
    expect(labels(typeOn(narrower, "See [[note"))).toEqual(["notes"]);
  });

  it("of links and tags find accents by their letters, and letters by their accents", async () => {
    const paths = ["vault/établi.md", "vault/e\u0301toile.md", "vault/noe\u0308l.md"];
    const french = completions(
      () => paths,
      async () => ["été", "etage"],
    );
    const offered = async (text: string): Promise<string[] | undefined> =>
      labels(await french(at(text)));
    expect(await offered("[[eta")).toEqual(["établi"]);
    expect(await offered("[[étoi")).toEqual(["e\u0301toile"]);
    expect(await offered("[[noël")).toEqual(["noe\u0308l"]);
    expect(await offered("#ét")).toEqual(["été", "etage"]);
    expect(await offered("#ete")).toEqual(["été"]);
  });

  it("of links go by the path where two have one name, also when one of them is left", async () => {
    const offered = await offer("[[pl");
    expect(labels(offered)).toEqual(["loft/plan", "plan"]);
    expect(labels(typeOn(await offer("[[lo"), "[[loft"))).toEqual(["loft/plan"]);
  });

  it("of tags are narrowed at once, without what is written out", async () => {
    const offered = await offer("Splice #ri");
    expect(labels(offered)).toEqual(["rigging", "rig"]);
    expect(labels(typeOn(offered, "Splice #rig"))).toEqual(["rigging"]);
    expect(labels(typeOn(await offer("#r"), "#ro"))).toEqual(["roof"]);
  });

  it("are asked for again when letters are taken away, and end with the link or the tag", async () => {
    const link = await offer("[[not");
    expect(typeOn(link, "[[no")).toBeNull();
    expect(typeOn(link, "[[not]")).toBeNull();
    const tag = await offer("#rig");
    expect(typeOn(tag, "#ri")).toBeNull();
    expect(typeOn(tag, "#rig ")).toBeNull();
    expect(await offer("no link")).toBeNull();
    expect(await offer("#")).toBeNull();
  });
});
