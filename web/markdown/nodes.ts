import type { Parent, PhrasingContent, RootContent } from "mdast";

import type { TagAttributes } from "./html-tags.ts";

/** `==marked==` */
export interface Mark extends Parent {
  readonly type: "mark";
  children: PhrasingContent[];
}

/** An element of HTML that is harmless, within a paragraph. */
export interface InlineElement extends Parent {
  readonly type: "inlineElement";
  readonly name: string;
  readonly attributes: TagAttributes;
  children: PhrasingContent[];
}

/** An element of HTML that is harmless, around blocks. */
export interface BlockElement extends Parent {
  readonly type: "blockElement";
  readonly name: string;
  readonly attributes: TagAttributes;
  children: RootContent[];
}

declare module "mdast" {
  interface PhrasingContentMap {
    mark: Mark;
    inlineElement: InlineElement;
  }
  interface RootContentMap {
    mark: Mark;
    inlineElement: InlineElement;
    blockElement: BlockElement;
  }
  interface BlockContentMap {
    blockElement: BlockElement;
  }
}
