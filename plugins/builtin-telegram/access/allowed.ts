import type { Logger } from 'pegboard';
import type { TelegramConfig } from '../config.ts';
import type { Pairing } from './pairing.ts';

/** The users and groups that may talk to the bot, by numeric id, never by name. Empty lists allow nobody. */
export interface Allowed {
  has(user: number): Promise<boolean>;
  /** The user who receives messages about the home: the first of the list, or else the first paired user. */
  owner(): Promise<number | undefined>;
}

export interface AllowedOptions {
  readonly config: TelegramConfig;
  /** ALLOWED_TELEGRAM_IDS. */
  readonly listed: string | undefined;
  readonly pairing: Pairing;
  readonly log: Logger;
}

export function createAllowed({ config, listed, pairing, log }: AllowedOptions): Allowed {
  const entries = (listed ?? '').split(/[\s,;]+/).filter((entry) => entry !== '');
  const isId = (entry: string): boolean => /^[1-9]\d{0,15}$/.test(entry);
  const ids = entries.filter(isId).map(Number);
  for (const entry of entries.filter((each) => !isId(each)))
    log.warn('ALLOWED_TELEGRAM_IDS takes numeric ids of users: this one admits nobody', { entry });
  return {
    has: async (user) => config.allow === 'everyone' || ids.includes(user) || (await pairing.isPaired(user)),
    owner: async () => ids[0] ?? (await pairing.paired())[0]?.id,
  };
}
