/** Beside the vault: nobody may read, change or remove it. */
export const SECRET = "nobody may read this: 8c1f0a77";

/** What no answer may hold. */
export function wrongText(text: string, status: number): string[] {
  const problems: string[] = [];
  if (status === 500 || /internal error/iu.test(text))
    problems.push(`internal error: ${text.slice(0, 400)}`);
  if (text.includes(SECRET))
    problems.push(`shows what is outside the vault: ${text.slice(0, 300)}`);
  return problems;
}
