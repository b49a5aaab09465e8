/** The command line itself is wrong: exit 2, with how it should look. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
