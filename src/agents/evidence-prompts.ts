/*
 * What the agent that answers is told about sources, below its instructions.
 */

export const CITE = `# Sources
End every sentence of the overview with the number of the element of concat that says it, before the full stop: [1] is the first, [2] the second; [1][3] for two. Write figures, dates and names as they stand in those lines. A passage marked "replaced" is no longer true: answer with the one it points to, and give both when asked what was.`;
