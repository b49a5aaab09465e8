import { errorText, texts } from "../texts/texts.ts";
import { Store } from "./store.ts";

/** Counts answers by which the service refused something: in a team, rights may have changed. */
export const refused = new Store(0);

/** Why a request had no result: what the service said, or that it could not be reached. */
export class RequestProblem extends Error {
  /** The service's own error code, or `unreachable`. */
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.name = "RequestProblem";
    this.code = code;
  }
}

/** What browsers say of a request that failed ("Failed to fetch") helps nobody: the service is away, or went in the middle of its answer. */
export function problemOf(error: unknown): RequestProblem {
  return error instanceof RequestProblem ? error : unreachable();
}

export function unreachable(): RequestProblem {
  const { unreachable: what, unreachableText: whatToDo } = texts.problem;
  return new RequestProblem("unreachable", `${what} ${whatToDo}`);
}

/** What the service said, in the language of the browser. */
export async function saidProblem(code: string, detail: string): Promise<RequestProblem> {
  return new RequestProblem(code, await errorText(code, detail));
}

/** What an answer that is no success says about itself: RFC 9457, as the service writes it. */
export async function problemIn(response: Response): Promise<RequestProblem> {
  const fallback = texts.problem.badAnswer(response.status);
  if ([401, 403, 404].includes(response.status)) refused.set(refused.get() + 1);
  try {
    const body: unknown = await response.json();
    const fields = new Map(Object.entries(body ?? {}));
    const code: unknown = fields.get("code");
    const detail: unknown = fields.get("detail");
    return await saidProblem(
      typeof code === "string" ? code : "unavailable",
      typeof detail === "string" ? detail : fallback,
    );
  } catch {
    return new RequestProblem("unavailable", fallback);
  }
}
