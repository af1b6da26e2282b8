import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Service } from '../api/plugin.ts';
import type { Logger } from '../api/log.ts';
import type { Clock } from '../api/surroundings.ts';
import { withinLimit } from '../core/async/deadline.ts';

/** Milliseconds that a service may take to start, and to end. Turns in it get 20 s to end (`host/agent/suspension.ts`). */
const startTimeoutMs = 10_000;
const stopTimeoutMs = 25_000;

/** The running services of one plugin. Disposing stops them in reverse order and never rejects. */
export interface RunningServices extends AsyncDisposable {
  /** Why services failed to start, by name. The others run. */
  readonly failures: ReadonlyMap<string, unknown>;
}

/** Starts services one after the other, in order. */
export async function startServices(
  services: readonly Service[],
  { log, clock }: { readonly log: Logger; readonly clock: Clock },
): Promise<RunningServices> {
  const failures = new Map<string, unknown>();
  const running: { readonly name: string; readonly stop: () => Promise<void> }[] = [];
  for (const service of services) {
    // Each service loads its own code. Pending calls get a turn of the event loop first.
    await turnOfLoop();
    const controller = new AbortController();
    try {
      const starting = Promise.resolve(service.start(controller.signal));
      const started = await withinLimit(starting, startTimeoutMs, clock);
      running.push({
        name: service.name,
        async stop() {
          controller.abort(new DOMException(`the service ${service.name} was stopped`, 'AbortError'));
          if (started && Symbol.asyncDispose in started) await started[Symbol.asyncDispose]();
          else if (started) started[Symbol.dispose]();
        },
      });
    } catch (cause) {
      controller.abort(cause);
      failures.set(service.name, cause);
      log.error(`the service ${service.name} did not start`, { cause });
    }
  }
  return {
    failures,
    async [Symbol.asyncDispose]() {
      for (const { name, stop } of running.splice(0).toReversed()) {
        try {
          await withinLimit(stop(), stopTimeoutMs, clock);
        } catch (cause) {
          log.error(`the service ${name} did not end as it should`, { cause });
        }
      }
    },
  };
}
