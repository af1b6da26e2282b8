/** The end of a host, for a turn that goes on after its restart. */
export interface Suspension extends Disposable {
  /** Aborts at once: no model is asked any more, no question is asked. */
  readonly requested: AbortSignal;
  /** Aborts when what runs has had its time. */
  readonly graceOver: AbortSignal;
}

/** Milliseconds that a tool gets to end. */
const graceMs = 20_000;

export function openSuspension(signals: readonly AbortSignal[]): Suspension {
  const requested = AbortSignal.any([...signals]);
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => ending.abort(requested.reason), graceMs);
  };
  if (requested.aborted) begin();
  else requested.addEventListener('abort', begin, { once: true });
  return {
    requested,
    graceOver: ending.signal,
    [Symbol.dispose]() {
      requested.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
