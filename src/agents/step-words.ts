/** What an agent does when it calls a tool; `about` are the words and paths of the call. */
const DOING: Readonly<Record<string, (about: string) => string>> = {
  tree: (about) => (about === "" ? "Looking at the tree" : `Looking at the tree of ${about}`),
  read: (about) => `Reading ${about}`,
  search: (about) => `Searching for ${about}`,
  concat: (about) => `Gathering ${about}`,
  write: (about) => `Writing ${about}`,
  edit: (about) => `Editing ${about}`,
  append: (about) => `Adding to ${about}`,
  move: (about) => `Moving ${about}`,
  delete: (about) => `Deleting ${about}`,
};

/** A call of an agent in words, for a person who waits. */
export function stepWords({
  tool,
  about = "",
}: {
  readonly tool: string;
  readonly about?: string | undefined;
}): string {
  return (DOING[tool] ?? (() => tool))(about);
}
