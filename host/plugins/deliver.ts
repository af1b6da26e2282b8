import type { Channel, Deliver, KnownChannel } from '../api/channels/channel.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import type { PluginInstance } from './instance.ts';

/** The channels of all plugins, connected or not. */
export function channelsOf(instances: readonly PluginInstance[]): readonly KnownChannel[] {
  const found = new Map<string, KnownChannel>();
  for (const { channels, manifest } of instances) {
    const { id, requires, channels: declared = [] } = manifest;
    const names = [...Object.keys(channels), ...declared];
    for (const name of names) {
      const isConnected = Object.hasOwn(channels, name);
      if (found.get(name)?.isConnected !== true)
        found.set(name, {
          name,
          isConnected,
          plugin: id,
          variables: requires.optional ?? [],
          ...(channels[name]?.ownerChat && { ownerChat: () => channels[name]!.ownerChat!() }),
        });
    }
  }
  return [...found.values()];
}

const never = new AbortController().signal;

/** Channels by name. */
export interface Channels {
  readonly [name: string]: Channel;
}

/** Sends messages through the channel, with secrets redacted. `channels`: those of each plugin. */
export function createDeliver(
  channels: () => readonly Channels[],
  redactor: Pick<Redactor, 'value'>,
): Deliver {
  return async ({ channel, chat }, message, signal = never) => {
    const found = channels()
      .flatMap((own) => Object.entries(own))
      .find(([name]) => name === channel);
    if (found) return await found[1].deliver(chat, redactor.value(message), signal);
    const names = channels().flatMap((own) => Object.keys(own));
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
