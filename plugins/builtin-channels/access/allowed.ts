import type { ChannelDriver, ChatAddress, Logger } from 'pegboard';
import type { ChannelSettings } from '../settings.ts';
import type { Pairing } from './pairing.ts';

/** The people who may talk to the account, by id, never by name. Empty lists allow nobody. */
export interface Allowed {
  has(person: string): Promise<boolean>;
  /** All whose ids are known, the owner first. */
  people(): Promise<readonly string[]>;
  /** Who receives messages about the home: the first of the list, or else the first who was paired. */
  owner(): Promise<string | undefined>;
  ownerChat(): Promise<ChatAddress | undefined>;
}

export interface AllowedOptions {
  readonly settings: Pick<ChannelSettings, 'allow'>;
  readonly driver: Pick<ChannelDriver, 'directChat'>;
  /** Ids, and the name of the variable that lists them. */
  readonly listed: {
    readonly variable: string;
    readonly value: string | undefined;
    readonly numeric: boolean;
  };
  readonly pairing: Pairing;
  readonly log: Logger;
}

/** The entries of the variable, in its order. */
export const listedIds = ({ value = '' }: Pick<AllowedOptions['listed'], 'value'>): readonly string[] =>
  value.split(/[\s,;]+/).filter((entry) => entry !== '');

export function createAllowed({ settings, driver, listed, pairing, log }: AllowedOptions): Allowed {
  const { variable, numeric } = listed;
  const entries = listedIds(listed);
  const isId = (entry: string): boolean => !numeric || /^[1-9]\d{0,19}$/.test(entry);
  const ids = entries.filter(isId);
  for (const entry of entries.filter((each) => !isId(each)))
    log.warn(`${variable} takes numeric ids of users: this entry is ignored`, { entry });
  const people = async (): Promise<readonly string[]> => [
    ...new Set([...ids, ...(await pairing.paired()).map(({ id }) => id)]),
  ];
  const owner = async (): Promise<string | undefined> => ids[0] ?? (await people())[0];
  return {
    people,
    has: async (person) =>
      settings.allow === 'everyone' || ids.includes(person) || (await pairing.isPaired(person)),
    owner,
    async ownerChat() {
      const person = await owner();
      return person === undefined ? undefined : await directChatOf(person, driver);
    },
  };
}

/** The private chat between a person and the account. */
export const directChatOf = async (
  person: string,
  driver: Pick<ChannelDriver, 'directChat'>,
): Promise<ChatAddress> => (await driver.directChat?.(person)) ?? { chat: person };
