import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { Logger } from '../../../api/log.ts';
import type { JsonObject } from '../../../api/result.ts';
import { untilAborted } from '../../../core/async/deadline.ts';
import type { Rpc } from '../transport/rpc.ts';

export interface Subscriptions extends Disposable {
  /**
   * After it resolves, changes of exactly these resources are announced. Resources that fail are not watched. Also
   * rejects with the signal's reason.
   */
  watch(uris: ReadonlySet<string>, signal?: AbortSignal): Promise<void>;
}

/** Between two attempts to listen again. */
const firstDelayMs = 500;
const maxDelayMs = 60_000;

/**
 * In the older protocol, changes are announced without a request, and resources are subscribed to one by one. In the
 * newer one, changes arrive on a stream with fixed subscriptions, which is reopened when it breaks.
 */
export function openSubscriptions(client: Client, rpc: Rpc, log: Logger): Subscriptions {
  return client.getProtocolEra() === 'modern' ? openStream(client, log) : openLegacy(rpc);
}

function openLegacy(rpc: Rpc): Subscriptions {
  const current = new Set<string>();
  return {
    async watch(uris, signal) {
      const begin = async (uri: string): Promise<void> => {
        current.add(uri);
        try {
          await rpc.request('resources/subscribe', { uri }, { signal });
        } catch (cause) {
          current.delete(uri);
          throw cause;
        }
      };
      const end = async (uri: string): Promise<void> => {
        current.delete(uri);
        await rpc.request('resources/unsubscribe', { uri }, { signal });
      };
      const added = [...uris.difference(current)];
      const removed = [...current.difference(uris)];
      await Promise.all([...added.map(begin), ...removed.map(end)]);
    },
    [Symbol.dispose]() {},
  };
}

function openStream(client: Client, log: Logger): Subscriptions {
  const { tools, prompts, resources } = (client.getServerCapabilities() ?? {}) as Record<
    string,
    JsonObject | undefined
  >;
  const closed = new AbortController();
  let uris: ReadonlySet<string> = new Set();
  let current: AbortController | undefined;

  /** Resolves when the server has confirmed or refused. Continues listening after that. */
  const listen = (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const filter = {
      ...(tools?.['listChanged'] === true && { toolsListChanged: true }),
      ...(prompts?.['listChanged'] === true && { promptsListChanged: true }),
      ...(resources?.['listChanged'] === true && { resourcesListChanged: true }),
      ...(uris.size > 0 && { resourceSubscriptions: [...uris] }),
    };
    const keepListening = async (): Promise<void> => {
      for (let delay = firstDelayMs; !signal.aborted; delay = Math.min(delay * 2, maxDelayMs)) {
        const started = performance.now();
        try {
          const subscription: McpSubscription = await client.listen(filter, { signal });
          resolve();
          if ((await subscription.closed) === 'local') return;
        } catch (cause) {
          log.debug('listening for changes failed', { cause });
        }
        resolve();
        if (performance.now() - started > maxDelayMs) delay = firstDelayMs;
        await sleep(delay, undefined, { ref: false, signal }).catch(() => {});
      }
    };
    if (Object.keys(filter).length === 0) resolve();
    else void keepListening();
    return promise;
  };
  const restart = (): Promise<void> => {
    current?.abort();
    current = new AbortController();
    return listen(AbortSignal.any([closed.signal, current.signal]));
  };
  void restart();
  return {
    async watch(wanted, signal) {
      if (wanted.size === uris.size && wanted.isSubsetOf(uris)) return;
      uris = new Set(wanted);
      await (signal ? untilAborted(restart(), signal) : restart());
    },
    [Symbol.dispose]: () => closed.abort(),
  };
}
