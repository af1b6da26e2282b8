/** Resolves when the signal aborts; keeps the process alive until then. */
export function untilStopped(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const alive = setInterval(() => {}, 2 ** 30);
  const onAbort = (): void => {
    clearInterval(alive);
    resolve();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return promise;
}
