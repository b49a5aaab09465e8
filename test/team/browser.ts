/** What a page answered. */
export interface Opened {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** As much of a browser as coming in needs: cookies, forms, and saying which page sends a request. It follows no redirect by itself. */
export class Browser {
  readonly #base: string;
  readonly #cookies = new Map<string, { readonly value: string; readonly attributes: string }>();

  constructor(base: string) {
    this.#base = base;
  }

  cookie(name: string): string {
    return this.#cookies.get(name)?.value ?? "";
  }

  /** What a cookie was set with, without its times. */
  attributesOf(name: string): string {
    return (this.#cookies.get(name)?.attributes ?? "").replace(/; (?:Expires|Max-Age)=[^;]+/gu, "");
  }

  setSession(value: string): void {
    this.#cookies.set("coffre-session", { value, attributes: "" });
  }

  async open(where: string, init: RequestInit = {}): Promise<Opened> {
    const url = new URL(where, this.#base);
    const headers = new Headers(init.headers);
    // Cookies are shared by all ports of a machine.
    const isOwn = url.hostname === new URL(this.#base).hostname;
    const cookies = [...this.#cookies].filter(
      ([, { attributes }]) => isOwn && url.pathname.startsWith(pathOf(attributes)),
    );
    if (cookies.length > 0)
      headers.set("cookie", cookies.map(([name, { value }]) => `${name}=${value}`).join("; "));
    const answer = await fetch(url, { redirect: "manual", ...init, headers });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  /** Sends JSON as our own page does, and reads what is answered. An empty header is left out. */
  async json(
    where: string,
    body?: unknown,
    method = body === undefined ? "GET" : "POST",
    given: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const headers = new Headers({ origin: this.#base, "content-type": "application/json" });
    for (const [name, value] of Object.entries(given))
      if (value === "") headers.delete(name);
      else headers.set(name, value);
    const sent = body === undefined || body === null ? {} : { body: JSON.stringify(body) };
    const { status, text } = await this.open(where, { method, headers, ...sent });
    return { status, body: text === "" ? null : JSON.parse(text) };
  }

  /** Fills in the form of a page and sends it. */
  async sendForm(
    page: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { origin: this.#base },
  ): Promise<Opened> {
    const [, action = ""] = /<form action="([^"]+)" method="post">/u.exec(page) ?? [];
    const hidden = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/gu);
    const form = new URLSearchParams(
      [...hidden].map(([, name = "", value = ""]): [string, string] => [name, value]),
    );
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return this.open(action, { method: "POST", headers, body: form });
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const [name = "", ...value] = pair.split("=");
    const isGone = attributes.includes("Max-Age=0");
    if (isGone) this.#cookies.delete(name);
    else
      this.#cookies.set(name, {
        value: value.join("="),
        attributes: attributes.map((each) => `; ${each}`).join(""),
      });
  }
}

function pathOf(attributes: string): string {
  return /; Path=([^;]+)/u.exec(attributes)?.[1] ?? "/";
}
