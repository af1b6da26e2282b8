import type { Channel } from '../../api/channels/channel.ts';
import type { Contributions } from '../../api/plugin.ts';
import { kind, mapValues } from './kind.ts';
import { requireMember } from './require-function.ts';
import { inChannels } from './unknown-members.ts';

type Channels = NonNullable<Contributions['channels']>;

/** Channels by name. A broken one makes the plugin fail. */
export const channels = kind<Channels>({
  form: 'an object',
  none: {},
  named: 'channel',
  check: (given, { plugin, entrance }) =>
    mapValues(given, (channel, name): Channel => {
      requireMember(plugin, `The channel ${name}`, channel, 'deliver');
      const { identity } = channel;
      const entered = entrance.members(channel, ['deliver', 'take', 'ask', 'ownerChat']);
      return { ...entered, ...(identity !== undefined && { identity }) };
    }),
  unknown: inChannels,
});
