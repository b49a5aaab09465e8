import { setTimeout as pause } from "node:timers/promises";

import { z } from "zod";

import type { Bidi } from "./bidi.ts";

const Evaluated = z.object({
  type: z.string(),
  result: z
    .object({ type: z.string(), value: z.unknown().optional(), sharedId: z.string().optional() })
    .optional(),
  exceptionDetails: z.object({ text: z.string() }).optional(),
});

/** False when the element is gone. Without animation frames, which a page in the background does not get. */
const AT_REST = `(each) => new Promise((done) => {
  each.scrollIntoView({ block: "center" });
  const look = (last) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const [across, down] = [x + width / 2, y + height / 2];
    const isInside = across >= 0 && down >= 0 && across < innerWidth && down < innerHeight;
    const now = isInside ? across + " " + down : null;
    if (!each.isConnected) done(false);
    else if (now !== null && now === last) done(true);
    else setTimeout(look, 30, now);
  };
  look(null);
})`;

/** The keys that have no letter, by WebDriver's numbers for them. */
const KEYS: Readonly<Record<string, string>> = {
  Control: "\uE009",
  End: "\uE010",
  Enter: "\uE007",
  Escape: "\uE00C",
};

/** Milliseconds until something that is waited for counts as missing. */
const PATIENCE = 30_000;
const POLL = 50;

interface Wanted {
  /** What it says, or a part of it. */
  readonly text?: string;
}

/** A tab of Firefox, used as a person does: by what is seen, with pointer and keys. */
export class FirefoxPage {
  readonly #bidi: Bidi;
  readonly #context: string;

  constructor(bidi: Bidi, context: string) {
    this.#bidi = bidi;
    this.#context = context;
  }

  async goto(url: string): Promise<void> {
    const params = { context: this.#context, url, wait: "interactive" };
    await this.#bidi.send("browsingContext.navigate", params);
  }

  async reload(): Promise<void> {
    await this.#bidi.send("browsingContext.reload", {
      context: this.#context,
      wait: "interactive",
    });
  }

  async back(): Promise<void> {
    const params = { context: this.#context, delta: -1 };
    await this.#bidi.send("browsingContext.traverseHistory", params);
  }

  /** The value of an expression in the page: text, a number, a yes or no, or undefined. */
  async evaluate(expression: string): Promise<unknown> {
    return (await this.#evaluated(expression)).value;
  }

  async #evaluated(
    expression: string,
  ): Promise<{ value?: unknown; sharedId?: string | undefined }> {
    const answer = await this.#bidi.send("script.evaluate", {
      expression,
      target: { context: this.#context },
      awaitPromise: true,
    });
    const { result, exceptionDetails } = Evaluated.parse(answer);
    if (result === undefined) throw new Error(exceptionDetails?.text ?? "no result");
    return result;
  }

  /** Waits until an element is to be seen. */
  async waitFor(css: string, wanted: Wanted = {}): Promise<string> {
    const end = performance.now() + PATIENCE;
    for (;;) {
      const sharedId = await this.#find(css, wanted);
      if (sharedId !== undefined) return sharedId;
      if (performance.now() > end) {
        const shown = await this.evaluate("document.body.innerText");
        throw new Error(`no ${css} ${JSON.stringify(wanted)} in: ${String(shown)}`);
      }
      await pause(POLL);
    }
  }

  async #find(css: string, { text = "" }: Wanted): Promise<string | undefined> {
    try {
      const found =
        await this.#evaluated(`[...document.querySelectorAll(${JSON.stringify(css)})].find((each) =>
        (each.textContent.includes(${JSON.stringify(text)}) || each.ariaLabel === ${JSON.stringify(text)}) && each.checkVisibility())`);
      return found.sharedId;
    } catch {
      // The document is being replaced.
      return undefined;
    }
  }

  async count(css: string): Promise<number> {
    return z
      .number()
      .parse(await this.evaluate(`document.querySelectorAll(${JSON.stringify(css)}).length`));
  }

  async click(css: string, wanted: Wanted = {}): Promise<void> {
    let sharedId = await this.waitFor(css, wanted);
    // It may be replaced by another before it comes to rest.
    while (!(await this.#isAtRest(sharedId))) sharedId = await this.waitFor(css, wanted);
    const origin = { type: "element", element: { sharedId } };
    await this.#act({
      type: "pointer",
      id: "pointer",
      actions: [
        { type: "pointerMove", x: 0, y: 0, origin },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    });
  }

  /** Scrolls an element into view, and waits until it stands still there: a list of completions is first put far outside. */
  async #isAtRest(sharedId: string): Promise<boolean> {
    const answer = await this.#bidi.send("script.callFunction", {
      functionDeclaration: AT_REST,
      arguments: [{ sharedId }],
      target: { context: this.#context },
      awaitPromise: true,
    });
    return Evaluated.parse(answer).result?.value === true;
  }

  /** Types a text, key by key, where the focus is. */
  async type(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ]);
    await this.#act({ type: "key", id: "keys", actions });
  }

  /** One key, or several that are held down together: `Control+k`. */
  async press(keys: string): Promise<void> {
    const values = keys.split("+").map((key) => KEYS[key] ?? key);
    const actions = [
      ...values.map((value) => ({ type: "keyDown", value })),
      ...values.toReversed().map((value) => ({ type: "keyUp", value })),
    ];
    await this.#act({ type: "key", id: "keys", actions });
  }

  /** Puts the cursor behind a text in the editor. */
  async cursorAfter(text: string): Promise<void> {
    await this.click(".cm-line", { text });
    await this.press("End");
  }

  async #act(source: object): Promise<void> {
    await this.#bidi.send("input.performActions", { context: this.#context, actions: [source] });
  }
}
