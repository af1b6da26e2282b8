import type { Kysely } from 'kysely';
import type { ChannelTables } from 'pegboard/kit';

/** One channel's view of the tables that all channels share. */
export interface ChannelStore {
  /** The name of the channel. */
  readonly channel: string;
  readonly open: () => Promise<ChannelDatabase>;
}

export type ChannelDatabase = Kysely<ChannelTables>;
