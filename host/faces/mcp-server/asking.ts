import type { JsonObject } from '../../api/result.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Promotion, Work } from './rounds.ts';
import { toRpcError } from './rpc-error.ts';
import { legacyTalk } from './talk.ts';

/** Runs work that may put questions to the client, in the way of its era. Rejects with an RpcError only. */
export async function asking(
  { rounds, activity }: Endpoint,
  method: string,
  params: JsonObject,
  exchange: Exchange,
  work: Work,
  promotion?: Promotion,
): Promise<JsonObject> {
  const { era } = exchange;
  try {
    return await activity.track(
      era === 'modern'
        ? rounds.run(method, params, exchange, work, promotion)
        : work(legacyTalk(exchange), () => {}),
    );
  } catch (cause) {
    throw toRpcError(cause);
  }
}
