import type { ChannelDriver, ChannelEvent, RawEvent } from 'pegboard';
import type { ChannelSettings } from '../settings.ts';

export interface RelevantFor {
  readonly driver: Pick<ChannelDriver, 'read'>;
  readonly settings: Pick<ChannelSettings, 'groups'>;
}

/** Whether an event has to be kept. Most messages of a group are for others, and are never stored. */
export function isRelevant(raw: RawEvent, { driver, settings }: RelevantFor): boolean {
  const event = readSafely(raw, driver);
  // The router reports it.
  if (event === null) return true;
  if (!event || event.kind === 'chat') return false;
  if (event.kind !== 'message') return true;
  return event.from !== undefined && isMeant(event, settings);
}

/** Whether a message of a group is for the account. */
export const isMeant = (
  { isPrivate, isAddressed = false }: Extract<ChannelEvent, { kind: 'message' }>,
  { groups }: RelevantFor['settings'],
): boolean => isPrivate || groups === 'all' || (groups === 'addressed' && isAddressed);

/** Null: the driver has thrown. */
export function readSafely(
  { body }: RawEvent,
  driver: Pick<ChannelDriver, 'read'>,
): ChannelEvent | undefined | null {
  try {
    return driver.read(body);
  } catch {
    return null;
  }
}
