import type { ScriptedRequest, ScriptedTurn } from "../../src/testing/models/scripted-model.ts";

/*
 * What a good model does in the English demo vault.
 */

export const QUESTION = "What deposit does Jo want for the trailer?";
export const NOTE = "Polmear can start a day early. Deposit for the trailer agreed at 240.";

const STATE = "vault/projects/sail-loft/state.md";
const TASKS = "vault/projects/sail-loft/tasks.md";

/** Answers {@link QUESTION}, files {@link NOTE}. */
export function demoTurn(request: ScriptedRequest): ScriptedTurn {
  // Every answer of a tool so far, whichever conversation it is.
  const answers = request.body.split('"role":"tool"').length - 1;
  return request.tools.includes("concat") ? searchTurn(answers) : updateTurn(answers);
}

function searchTurn(answers: number): ScriptedTurn {
  if (answers === 0) {
    return {
      thinking: "A trailer, a deposit, and somebody called Jo.",
      calls: [{ name: "search", args: { queries: ["trailer deposit", "Jo Carne kiln"] } }],
    };
  }
  if (answers === 1) {
    return {
      calls: [
        {
          name: "concat",
          args: {
            files: [
              { path: TASKS, lines: "7-11" },
              { path: STATE, lines: "28-35" },
            ],
          },
        },
      ],
    };
  }
  return {
    text: "Jo Carne lends the college trailer **against a £250 deposit**. You wanted to pay £240 at the very most, and only if it comes back.",
  };
}

function updateTurn(answers: number): ScriptedTurn {
  if (answers === 0)
    return { calls: [{ name: "search", args: { queries: ["Polmear electrics"] } }] };
  if (answers === 1) return { calls: [{ name: "read", args: { paths: [STATE, TASKS] } }] };
  if (answers === 2) {
    return {
      calls: [
        {
          name: "edit",
          args: {
            path: STATE,
            old_content: "Electrics first.",
            new_content: "Electrics first, a day earlier than planned.",
          },
        },
        {
          name: "append",
          args: {
            path: "vault/projects/sail-loft/changelog.md",
            content:
              "# 2026-11-16\n\n## Polmear starts a day early\nDeposit for the trailer: £240.",
            position: "top",
          },
        },
      ],
    };
  }
  return { text: "sail-loft: the earlier start is in its state, the deposit in its changelog." };
}
