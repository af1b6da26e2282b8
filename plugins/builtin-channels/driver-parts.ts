import type { ChannelDriver, Clock, Logger, PluginContext } from 'pegboard';
import type { Allowed } from './access/allowed.ts';
import type { Pairing } from './access/pairing.ts';
import type { ChannelStore } from './database.ts';
import type { Messages } from './outgoing/messages.ts';
import type { ChannelAccount } from './service/account.ts';
import type { Holds } from './inbox/holds.ts';
import type { MovedChats } from './service/moved-chats.ts';
import type { Connection } from './service/connection.ts';
import type { ChannelSettings } from './settings.ts';
import type { EffectsOf, LiveTurns } from './turns/live-turns.ts';

/** Dependencies for sending, whether or not the service runs. */
export interface DriverParts {
  /** "telegram": in addresses, conversations and commands. */
  readonly name: string;
  /** Whether its owner may do there what only the owner may. */
  readonly vouchesForOwner: boolean;
  /** "Telegram": for people. */
  readonly title: string;
  readonly driver: ChannelDriver;
  readonly account: ChannelAccount | undefined;
  readonly connection: Connection;
  readonly context: PluginContext<object>;
  readonly settings: ChannelSettings;
  readonly store: ChannelStore;
  readonly messages: Messages;
  readonly moved: MovedChats;
  readonly holds: Holds;
  readonly pairing: Pairing;
  readonly allowed: Allowed;
  readonly live: LiveTurns;
  readonly effectsOf: EffectsOf | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}
