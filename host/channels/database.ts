import type { Kysely } from 'kysely';
import type { ChannelTables } from '../store/database/channel-tables.ts';

/** The tables of all channels, and whose rows are meant. */
export interface ChannelStore {
  /** The name of the channel. */
  readonly channel: string;
  readonly open: () => Promise<ChannelDatabase>;
}

export type ChannelDatabase = Kysely<ChannelTables>;
