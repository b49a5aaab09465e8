import type { ScriptedCall, ScriptedRequest, ScriptedTurn } from "./scripted-model.ts";

/*
 * What a good model does with notes for the vault of `agent-home.ts`.
 */

export const call = (name: string, args: unknown): ScriptedCall => ({ name, args });

export const LOOK: ScriptedTurn = {
  thinking: "Hale is the roofer.",
  calls: [
    call("search", { queries: ["Hale roof start", "deposit Hale"] }),
    call("read", { paths: ["vault/projects/house/", "vault/overview.md"] }),
  ],
};

export const ENTRY = "# 2026-11-16\n\n## Hale starts on the 20th\nDeposit of 400 paid.";

/** Files "Hale starts on the 20th, deposit paid, order the slates". */
export const FILE: ScriptedTurn = {
  calls: [
    call("edit", {
      path: "vault/projects/house/state.md",
      old_content: "Start not known. Deposit not paid.",
      new_content: "Starts on 2026-11-20. Deposit of 400 paid.",
    }),
    call("append", {
      path: "vault/projects/house/tasks.md",
      content: "# Order the slates\nstatus: todo | prio: high | added: 2026-11-16 | project: house",
      position: "bottom",
    }),
    call("edit", {
      path: "vault/projects/house/tasks.md",
      old_content:
        "# Pay the deposit to Hale\nstatus: todo | prio: high | added: 2026-11-03 | project: house\n",
      new_content: "",
    }),
    call("append", {
      path: "vault/projects/house/changelog.md",
      content: ENTRY,
      position: "top",
    }),
    call("edit", {
      path: "vault/overview.md",
      old_content: "Start not known.",
      new_content: "Starts on 2026-11-20.",
    }),
  ],
};

export const REPORT: ScriptedTurn = { text: "House: start and deposit noted, one task added." };

export const NOTE = "Hale starts on the 20th, deposit of 400 paid today. Order the slates.";

export const UNSURE: ScriptedTurn = {
  calls: [
    call("write", {
      path: "vault/inbox/2026-11-16-varnish/review.md",
      content:
        "# Review: two tins of varnish\n\n## What I looked for\n\nvarnish, tins\n\n## What I found\n\n`vault/projects/boat/state.md`: varnish is ordered.\n\n## What I propose\n\nA line in the state of boat.\n\n## Question\n\nIs it for the boat or for the floor of the house?\n",
    }),
  ],
};

/** The smallest PNG there is: one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Files the note from wherever a conversation stands: however often it is restarted. */
export function houseTurn({ last }: ScriptedRequest): ScriptedTurn {
  if (last.includes("History: ")) return REPORT;
  // It looks first, though the first message shows enough to file it.
  if (last.includes("Today is ")) return LOOK;
  return last.includes("Deposit not paid") ? FILE : LOOK;
}
