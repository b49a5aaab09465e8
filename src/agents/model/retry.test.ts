import { expect, it } from "vitest";

import { APICallError } from "ai";

import { explainFailure, judgeFailure, withRetries } from "./retry.ts";

const policy = { attempts: 4, firstWait: 4 };

function options(signal = new AbortController().signal) {
  const waits: number[] = [];
  return {
    policy,
    signal,
    onRetry: ({ wait }: { wait: number }) => waits.push(wait),
    waits,
  };
}

it("waits about twice as long each time, and gives up after the last attempt", async () => {
  const given = options();
  let tries = 0;
  const work = async (): Promise<never> => {
    tries += 1;
    throw answered(503);
  };
  await expect(withRetries(work, given)).rejects.toThrow("Incorrect");
  expect(tries).toBe(4);
  const [first = 0, second = 0, third = 0] = given.waits;
  expect(first).toBeGreaterThanOrEqual(3);
  expect(second).toBeGreaterThanOrEqual(6);
  expect(third).toBeGreaterThanOrEqual(12);
});

it("waits as long as the server asks, and does not try again what cannot help", async () => {
  const asked = options();
  let tries = 0;
  const once = async (): Promise<string> => {
    tries += 1;
    if (tries === 1) throw answered(429, { "retry-after-ms": "30" });
    return "done";
  };
  expect(await withRetries(once, asked)).toBe("done");
  expect(asked.waits[0]).toBeGreaterThanOrEqual(30);
  const hopeless = options();
  await expect(withRetries(async () => Promise.reject(answered(400)), hopeless)).rejects.toThrow(
    "Incorrect",
  );
  expect(hopeless.waits).toEqual([]);
});

it("ends at once when it is cancelled while it waits", async () => {
  const abort = new AbortController();
  const given = {
    ...options(abort.signal),
    onRetry: () => abort.abort(),
  };
  await expect(
    withRetries(async () => Promise.reject(answered(429, { "retry-after": "60" })), given),
  ).rejects.toThrow("abort");
});

function answered(statusCode: number | undefined, headers: Record<string, string> = {}): Error {
  return new APICallError({
    message: "Incorrect API key provided: sk-proj-abcdefgh1234",
    url: "http://127.0.0.1/v1",
    requestBodyValues: {},
    responseHeaders: headers,
    ...(statusCode === undefined ? {} : { statusCode }),
  });
}

it.each([
  [408, true],
  [429, true],
  [500, true],
  [529, true],
  [undefined, true],
  [400, false],
  [401, false],
  [404, false],
])("an answer of %s may go better the next time: %s", (status, isTransient) => {
  expect(judgeFailure(answered(status)).isTransient).toBe(isTransient);
});

it("reads how long to wait from the headers", () => {
  expect(judgeFailure(answered(429, { "retry-after": "3" })).retryAfter).toBe(3000);
  expect(judgeFailure(answered(429, { "retry-after-ms": "250" })).retryAfter).toBe(250);
  expect(judgeFailure(answered(429, { "retry-after": "soon" })).retryAfter).toBeNull();
});

it("shows neither the key nor what looks like one", () => {
  const { message } = explainFailure(answered(401), "openai/x", "my-own-key");
  expect(message).toBe(
    "The model openai/x did not answer: it answered 401 (Incorrect API key provided: …). Check its key.",
  );
});
