import { ExpectedError } from "../../errors.ts";

/** For a document that is packed well and lacks what makes it one: damaged, or encrypted, which hides all but the packing. */
export function missingPart(name: string, part: string): ExpectedError {
  return new ExpectedError(
    "not_text",
    `${name} has no readable ${part}: it is damaged, or protected by a password. Save it again without one.`,
  );
}
