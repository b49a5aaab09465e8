/** What errors say to agents, which call tools by name: people have the page for it. */
const FOR_AGENTS = [
  / ?Look with tree\("[^"]*"\)\./gu,
  / ?The tool read shows a part: give it head or tail\./gu,
  / ?Use old_content\./gu,
  / ?Its bytes are at \/api\/raw\S*/gu,
];

/** An error of the service without what only an agent can do. */
export function forPeople(detail: string): string {
  return FOR_AGENTS.reduce((said, pattern) => said.replaceAll(pattern, ""), detail).trim();
}
