import { setImmediate as turnOfLoop } from 'node:timers/promises';
import type { Service } from '../api/plugin.ts';
import type { Logger } from '../api/log.ts';
import type { Clock } from '../api/surroundings.ts';
import { withinLimit } from '../core/async/deadline.ts';
import { createOwnSignals } from '../core/platform/exit-guard.ts';
import { PegboardError } from '../core/errors.ts';
import type { PluginGuard } from './plugin-guard.ts';

/** Milliseconds that a service may take to start, and to end. Turns in it get 20 s to end (`host/agent/suspension.ts`). */
const startTimeoutMs = 10_000;
const stopTimeoutMs = 25_000;
/** Milliseconds between two starts of a service that the database keeps from starting. */
const longestPauseMs = 60_000;

interface Surrounding {
  readonly guard: PluginGuard;
  readonly log: Logger;
  readonly clock: Clock;
}

interface RunningService {
  readonly name: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts services one after the other, in order. One that the database keeps from starting is started again until it runs.
 * One whose code fails later is stopped, and the others run on. Disposing stops all in reverse order and never rejects.
 */
export async function startServices(
  services: readonly Service[],
  { guard, log, clock }: Surrounding,
): Promise<AsyncDisposable> {
  const running: RunningService[] = [];
  const stop = async ({ name, stop: end }: RunningService): Promise<void> => {
    try {
      await withinLimit(end(), stopTimeoutMs, clock);
    } catch (cause) {
      log.error(`the service ${name} did not end as it should`, { cause });
    }
  };
  const stopFailed = (service: RunningService | undefined, cause: unknown): void => {
    const at = service ? running.indexOf(service) : -1;
    if (at < 0) return;
    running.splice(at, 1);
    guard.report(`the service ${service!.name} was stopped, because its code failed`, cause);
    void stop(service!);
  };
  guard.onSetUpFailed = (cause) => {
    guard.report('what its setup left running failed', cause);
    for (const service of [...running].toReversed()) stopFailed(service, cause);
  };
  /** Whether there is nothing more to do: it runs, or never will. */
  const start = async (service: Service): Promise<boolean> => {
    const controller = new AbortController();
    let entered: RunningService | undefined;
    try {
      const run = async () => await service.start(...createOwnSignals()([controller.signal] as const));
      const starting = guard.service(run, (cause) => stopFailed(entered, cause));
      const started = await withinLimit(starting, startTimeoutMs, clock);
      entered = {
        name: service.name,
        async stop() {
          controller.abort(new DOMException(`the service ${service.name} was stopped`, 'AbortError'));
          await guard.call(async () => {
            if (started && Symbol.asyncDispose in started) await started[Symbol.asyncDispose]();
            else if (started) started[Symbol.dispose]();
          });
        },
      };
      running.push(entered);
      return true;
    } catch (cause) {
      controller.abort(cause);
      log.error(`the service ${service.name} did not start`, { cause });
      return !(cause instanceof PegboardError && cause.code === 'PEG_DATABASE');
    }
  };
  const ending = new AbortController();
  const untilItRuns = async (service: Service): Promise<void> => {
    for (let pauseMs = 1_000; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await clock.sleep(pauseMs, ending.signal);
      if (ending.signal.aborted || (await start(service))) return;
    }
  };
  const waiting: Promise<void>[] = [];
  for (const service of services) {
    // Each service loads its own code. Pending calls get a turn of the event loop first.
    await turnOfLoop();
    if (!(await start(service))) waiting.push(untilItRuns(service));
  }
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(waiting);
      for (const service of running.splice(0).toReversed()) await stop(service);
    },
  };
}
