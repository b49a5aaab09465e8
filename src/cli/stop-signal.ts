/** Resolves at the first request to stop. The second ends the process at once, as it does without us. */
export async function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  await promise;
  process.off("SIGINT", stop).off("SIGTERM", stop);
}
