import type { JsonObject } from 'pegboard';
import type { Endpoint } from '../endpoint.ts';
import type { Exchange } from '../protocol/exchange.ts';
import type { Promotion, Work } from '../calls/round-call.ts';
import { toRpcError } from '../protocol/rpc-error.ts';
import { legacyClientChannel } from './client-channel.ts';

/** Runs work that may ask the client, in the way of its protocol era. Rejects only with an RpcError. */
export async function withQuestions(
  { multiRound, activity }: Endpoint,
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
        ? multiRound.run(method, params, exchange, work, promotion)
        : work(legacyClientChannel(exchange), () => {}),
    );
  } catch (cause) {
    throw toRpcError(cause);
  }
}
