import { createHomeLogger } from '../core/log.ts';
import { followCalls } from './follow-calls.ts';
import { followModels } from './follow-models.ts';
import { followTurns } from './follow-turns.ts';
import { createLiveSpans } from './live-spans.ts';
import { isReachable } from './reachable.ts';
import { openSdk } from './sdk.ts';
import type { TelemetrySettings } from './settings.ts';

/** How long the end of a process waits for a collector. */
const maxFlushMs = 2_000;

/**
 * Exports spans and metrics of the hosts of this process. Disposing sends the rest. A collector that can't be reached,
 * or refuses, causes one warning in the home's log, and nothing else.
 */
export function openTelemetry(
  home: string,
  settings: TelemetrySettings,
  { version }: { readonly version: string },
): AsyncDisposable {
  const log = createHomeLogger(home, (text) => text);
  let warned = false;
  const warn = (reason: string): void => {
    if (!warned)
      log.warn(`OpenTelemetry: ${hostOf(settings.destination)} does not take spans or metrics`, { reason });
    warned = true;
  };
  const sdk = openSdk(settings, { version, onFailure: warn });
  const spans = createLiveSpans(sdk.tracer);
  const followers = [
    followCalls(spans, sdk.meter),
    followTurns(spans, sdk.meter),
    followModels(spans, sdk.meter),
  ];
  return {
    async [Symbol.asyncDispose]() {
      for (const follower of followers) follower[Symbol.dispose]();
      const reachable = await isReachable(settings.destination, maxFlushMs);
      if (reachable) await sdk.close(maxFlushMs);
      else warn('no connection');
      log[Symbol.dispose]();
    },
  };
}

const hostOf = (destination: string): string => URL.parse(destination)?.host ?? 'the collector';
