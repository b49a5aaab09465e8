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

export function problemOf(error: unknown): RequestProblem {
  if (error instanceof RequestProblem) return error;
  return new RequestProblem("unreachable", error instanceof Error ? error.message : String(error));
}

/** What an answer that is no success says about itself: RFC 9457, as the service writes it. */
export async function problemIn(response: Response): Promise<RequestProblem> {
  const fallback = `${response.status} ${response.statusText}`;
  try {
    const body: unknown = await response.json();
    const fields = new Map(Object.entries(body ?? {}));
    const code: unknown = fields.get("code");
    const detail: unknown = fields.get("detail");
    return new RequestProblem(
      typeof code === "string" ? code : "unavailable",
      typeof detail === "string" ? detail : fallback,
    );
  } catch {
    return new RequestProblem("unavailable", fallback);
  }
}
