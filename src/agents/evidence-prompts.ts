/*
 * What the agents are told about sources and about facts that others replaced, below their own instructions.
 */

export const CITE = `# Sources
End every sentence of the overview with the number of the element of concat that says it, before the full stop: [1] is the first, [2] the second; [1][3] for two. Write figures, dates and names as they stand in those lines. A passage marked "replaced" is no longer true: answer with the one it points to, and give both when asked what was.`;

export const REPLACE = `# What the note makes untrue
A page that says how things are now is simply edited. When the old statement stays where it is (a changelog entry, raw material), give its path, lines and old value as replaces of the append or edit that says the new one.`;
