/** The end of a host, for a turn that goes on after its restart. */
export interface Suspension extends Disposable {
  /** Aborts at once: no model is asked any more, no question is asked. */
  readonly soon: AbortSignal;
  /** Aborts when what runs has had its time. */
  readonly now: AbortSignal;
}

/** Milliseconds that a tool gets to end. */
const graceMs = 20_000;

export function openSuspension(signals: readonly AbortSignal[]): Suspension {
  const soon = AbortSignal.any([...signals]);
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => ending.abort(soon.reason), graceMs);
  };
  if (soon.aborted) begin();
  else soon.addEventListener('abort', begin, { once: true });
  return {
    soon,
    now: ending.signal,
    [Symbol.dispose]() {
      soon.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
