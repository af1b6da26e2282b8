import type { Logger } from 'pegboard';
import { version } from 'pegboard/kit';
import { followCalls } from './follow-calls.ts';
import { followModels } from './follow-models.ts';
import { followQueues, type ReadEngineStatus } from './follow-queues.ts';
import { followTurns } from './follow-turns.ts';
import { createLiveSpans } from './live-spans.ts';
import { openSdk } from './sdk.ts';
import type { TelemetrySettings } from './settings.ts';
import { once } from 'node:events';
import { connect } from 'node:net';

const ports: { readonly [protocol: string]: number } = { 'http:': 80, 'https:': 443 };

/** How long the end of a process waits for a collector. */
const maxFlushMs = 2_000;

export interface Telemetry extends AsyncDisposable {
  /** Also exports what waits in the queues of a home. */
  followQueues(read: ReadEngineStatus): void;
}

/**
 * Exports spans and metrics of the hosts of this process. Disposing sends the rest. A collector that can't be reached,
 * or refuses, causes one warning in the home's log, and nothing else.
 */
export function openTelemetry(settings: TelemetrySettings, log: Logger): Telemetry {
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
    followQueues: (read) => void followers.push(followQueues(sdk.meter, read)),
    async [Symbol.asyncDispose]() {
      for (const follower of followers) follower[Symbol.dispose]();
      const reachable = await isReachable(settings.destination, maxFlushMs);
      if (reachable) await sdk.close(maxFlushMs);
      else warn('no connection');
    },
  };
}

const hostOf = (destination: string): string => URL.parse(destination)?.host ?? 'the collector';

/**
 * Whether the address accepts connections. The exporter itself retries for seconds, too long for the end of a command.
 */
async function isReachable(address: string, timeoutMs: number): Promise<boolean> {
  const url = URL.parse(address);
  if (!url) return false;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(url.port) || (ports[url.protocol] ?? 80) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
