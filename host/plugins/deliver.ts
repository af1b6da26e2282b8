import type { Deliver } from '../api/channel.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import type { PluginInstance } from './instance.ts';

/** Names of the channels that plugins know, also of those that are not connected just now. */
export const channelsOf = (instances: readonly PluginInstance[]): readonly string[] => [
  ...new Set(
    instances.flatMap(({ channels, manifest }) => [
      ...Object.keys(channels),
      ...Object.values(manifest.packs).flatMap(({ channel }) => channel ?? []),
    ]),
  ),
];

const never = new AbortController().signal;

/** Sends through whichever plugin brings the channel just now, and no secret. */
export function createDeliver(
  instances: () => readonly PluginInstance[],
  redactor: Pick<Redactor, 'value'>,
): Deliver {
  return async ({ channel, chat }, message, signal = never) => {
    const found = instances()
      .flatMap(({ channels }) => Object.entries(channels))
      .find(([name]) => name === channel);
    if (found) return await found[1].deliver(chat, redactor.value(message), signal);
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
