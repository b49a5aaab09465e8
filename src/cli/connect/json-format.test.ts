import { describe, expect, it } from "vitest";

import { jsonFormat } from "./json-format.ts";
import { CannotMerge, merge, type Merged } from "./merge.ts";

const PLACEMENT = {
  servers: "mcpServers",
  name: "coffre",
  entry: { command: "node", args: ["main.js"] },
};

function mergeJson(text: string): Merged {
  return merge(text, PLACEMENT, jsonFormat);
}

/** Written in tests with `·` for a tab and `¶` for a carriage return, which are hard to see. */
function visible(text: string): string {
  return text.replaceAll("·", "\t").replaceAll("¶", "\r");
}

describe("a server added to JSON", () => {
  it.each([
    [
      "makes a file out of nothing",
      "",
      `{
  "mcpServers": {
    "coffre": {
      "command": "node",
      "args": [
        "main.js"
      ]
    }
  }
}
`,
    ],
    [
      "opens an empty object",
      "{}\n",
      `{
  "mcpServers": {
    "coffre": {
      "command": "node",
      "args": [
        "main.js"
      ]
    }
  }
}
`,
    ],
    [
      "stands last among others, behind what is said of the one before",
      `{
   "mcpServers": {
      "a": { "url":"x" } // of a
      // "old": {}
   }, "theme":"dark"
}`,
      `{
   "mcpServers": {
      "a": { "url":"x" }, // of a
      "coffre": {
         "command": "node",
         "args": [
            "main.js"
         ]
      }
      // "old": {}
   }, "theme":"dark"
}`,
    ],
    [
      "ends with a comma where the one before does",
      `{
·"mcpServers": {
··"a": {}, /* of a */ // indeed
·},
}
`,
      `{
·"mcpServers": {
··"a": {}, /* of a */ // indeed
··"coffre": {
···"command": "node",
···"args": [
····"main.js"
···]
··},
·},
}
`,
    ],
    [
      "keeps the line endings and the comment in an empty object",
      `{¶
  "mcpServers": { // none¶
  }¶
}¶
`,
      `{¶
  "mcpServers": { // none¶
    "coffre": {¶
      "command": "node",¶
      "args": [¶
        "main.js"¶
      ]¶
    }¶
  }¶
}¶
`,
    ],
    [
      "gives an empty object lines",
      `{
  "mcpServers": {}
}`,
      `{
  "mcpServers": {
    "coffre": {
      "command": "node",
      "args": [
        "main.js"
      ]
    }
  }
}`,
    ],
    [
      "stays on the one line that there is",
      `\uFEFF{"a":1,"mcpServers":{}}`,
      `\uFEFF{"a":1,"mcpServers":{"coffre":{"command":"node","args":["main.js"]}}}`,
    ],
    [
      "is not swallowed by a comment",
      `{"a": 1, "b": 2 // and, so on
}`,
      `{"a": 1, "b": 2,"mcpServers":{"coffre":{"command":"node","args":["main.js"]}} // and, so on
}`,
    ],
    [
      "goes before a comment over several lines",
      `{
  "a": 1 /* one
  two, */
}`,
      `{
  "a": 1,
  "mcpServers": {
    "coffre": {
      "command": "node",
      "args": [
        "main.js"
      ]
    }
  } /* one
  two, */
}`,
    ],
    [
      "goes to the list that counts where there are two",
      `{"mcpServers":{"a":{}},"mcpServers":{}}`,
      `{"mcpServers":{"a":{}},"mcpServers":{"coffre":{"command":"node","args":["main.js"]}}}`,
    ],
  ])("%s", (_, before, after) => {
    expect(mergeJson(visible(before))).toEqual({ text: visible(after), previous: undefined });
    expect(mergeJson(visible(after)).text).toBe(visible(after));
  });
});

describe("a server that is in the JSON already", () => {
  it("is left alone when it is the same, however it is written", () => {
    const text = `{"mcpServers": {"coffre": /* mine */ {"args": ["main.js",], "command": "node"}}}`;
    expect(mergeJson(text)).toEqual({ text, previous: PLACEMENT.entry });
  });

  it("is replaced when it differs, and nothing else", () => {
    const before = `{
  "mcpServers": {
    "coffre": {
      "command": "old" // gone
    }, // kept
    "b": {}
  }
}`;
    expect(mergeJson(before)).toEqual({
      previous: { command: "old" },
      text: `{
  "mcpServers": {
    "coffre": {
      "command": "node",
      "args": [
        "main.js"
      ]
    }, // kept
    "b": {}
  }
}`,
    });
    expect(mergeJson(`{"mcpServers":{"coffre":null}}`)).toEqual({
      previous: null,
      text: `{"mcpServers":{"coffre":{"command":"node","args":["main.js"]}}}`,
    });
  });
});

describe("JSON that cannot be added to", () => {
  it.each([
    [`{\n  "a": 1\n  "b": 2\n}`, "line 3 is not valid JSON (comma expected)"],
    [`{\r\n"a": 1`, "line 2 is not valid JSON (close brace expected)"],
    ["// nothing", "line 1 is not valid JSON (value expected)"],
    ["{} x", "line 1 is not valid JSON (invalid symbol)"],
    ["[]", "it holds something else than a JSON object"],
    [`{"mcpServers": []}`, '"mcpServers" in it is not a list of servers by their names'],
    [`{"mcpServers": null}`, '"mcpServers" in it is not a list of servers by their names'],
  ])("%j", (text, reason) => {
    expect(() => mergeJson(text)).toThrow(new CannotMerge(reason));
  });
});
