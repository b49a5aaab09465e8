/** What the list of a server's tools costs a model, which reads it in every conversation. */
import type { Tool } from "@modelcontextprotocol/client";

import { report } from "./measure.ts";

export interface Listed {
  readonly name: string;
  readonly tools: readonly Tool[];
}

export function benchTools(ours: readonly Listed[], peers: readonly Listed[]): void {
  const [least] = peers.map(perTool).toSorted((a, b) => a - b);
  for (const each of ours) {
    if (least === undefined) print(each);
    else {
      const goal = `< ${least.toFixed(0)} each, the least of the peers`;
      report(`tools/list: ${each.name}`, describe(each), goal, perTool(each) < least);
    }
  }
  for (const each of peers) print(each);
}

function print(listed: Listed): void {
  console.log(`        ${`tools/list: ${listed.name}`.padEnd(46)} ${describe(listed)}`);
}

function describe(listed: Listed): string {
  const { tools } = listed;
  return `${tokens(tools)} tokens, ${tools.length} tools: ${perTool(listed).toFixed(0)} each`;
}

function perTool({ tools }: Listed): number {
  return tokens(tools) / tools.length;
}

function tokens(tools: readonly Tool[]): number {
  return Math.ceil(JSON.stringify(tools).length / 4);
}
