import type { TracingChannel } from 'node:diagnostics_channel';

/** Subscribes to the start and end of each trace until disposed. Neither callback may throw. */
export function followTrace<Trace extends object>(
  channel: TracingChannel<Trace>,
  { start, end }: { readonly start: (trace: Trace) => void; readonly end: (trace: Trace) => void },
): Disposable {
  const beginning = (trace: unknown): void => start(trace as Trace);
  const ending = (trace: unknown): void => end(trace as Trace);
  channel.start.subscribe(beginning);
  channel.asyncEnd.subscribe(ending);
  return {
    [Symbol.dispose]() {
      channel.start.unsubscribe(beginning);
      channel.asyncEnd.unsubscribe(ending);
    },
  };
}
