import { messageOf } from 'pegboard/kit';
import type { McpClient } from 'pegboard/serving';
import type { Endpoint } from '../endpoint.ts';
import { isObject } from './exchange.ts';

/**
 * The resources that modern clients listen for. The SDK keeps the streams and who wants what; this asks the
 * resources' servers to report changes, for as long as somebody listens.
 */
export interface ListenedResources extends Disposable {
  /** `message` is a `subscriptions/listen`; `key` names it until `end`. */
  begin(key: unknown, message: unknown, from: McpClient): Promise<void>;
  end(key: unknown): void;
}

const maxSubscriptions = 100;

export function createListenedResources({ resources, host }: Endpoint): ListenedResources {
  const open = new Map<unknown, AsyncDisposable[]>();
  const end = (key: unknown): void => {
    for (const subscription of open.get(key) ?? []) void subscription[Symbol.asyncDispose]();
    open.delete(key);
  };
  return {
    async begin(key, message, from) {
      const subscriptions: AsyncDisposable[] = [];
      open.set(key, subscriptions);
      for (const uri of urisIn(message)) {
        try {
          const subscription = await resources.subscribe(uri, from);
          if (open.get(key) === subscriptions) subscriptions.push(subscription);
          else await subscription[Symbol.asyncDispose]();
        } catch (cause) {
          host.log.info(`changes of ${uri} are not reported: ${messageOf(cause)}`);
        }
      }
    },
    end,
    [Symbol.dispose]() {
      for (const key of open.keys()) end(key);
    },
  };
}

function urisIn(message: unknown): readonly string[] {
  const params = isObject(message) ? message['params'] : undefined;
  const filter = isObject(params) ? params['notifications'] : undefined;
  const uris: unknown = isObject(filter) ? filter['resourceSubscriptions'] : undefined;
  if (!Array.isArray(uris)) return [];
  return [...new Set(uris)].filter((uri) => typeof uri === 'string').slice(0, maxSubscriptions);
}
