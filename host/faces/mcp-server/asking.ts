import type { JsonObject } from '../../api/result.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Work } from './rounds.ts';
import { legacyTalk } from './talk.ts';

/** Runs work that may put questions to the client, in the way of its era. */
export function asking(
  { rounds, activity }: Endpoint,
  method: string,
  params: JsonObject,
  exchange: Exchange,
  work: Work,
): Promise<JsonObject> {
  return activity.track(
    exchange.era === 'modern' ? rounds.run(method, params, exchange, work) : work(legacyTalk(exchange)),
  );
}
