import type { Deliver } from '../api/channel.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { PluginInstance } from './instance.ts';

const never = new AbortController().signal;

/** Sends through whichever plugin brings the channel just now. */
export function createDeliver(instances: () => readonly PluginInstance[]): Deliver {
  return async ({ channel, chat }, message, signal = never) => {
    const found = instances()
      .flatMap(({ channels }) => Object.entries(channels))
      .find(([name]) => name === channel);
    if (found) return await found[1].deliver(chat, message, signal);
    const names = instances().flatMap(({ channels }) => Object.keys(channels));
    const [near] = nearest(channel, names);
    const hint =
      near !== undefined
        ? ` Did you mean "${near}"?`
        : names.length > 0
          ? ` There are: ${names.join(', ')}.`
          : ' No plugin of this home brings one.';
    throw new PegboardError('PEG_USAGE', `There is no channel "${channel}".${hint}`);
  };
}
