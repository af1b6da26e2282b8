import type { Message } from 'grammy/types';

/** Describes a message without text for the model. Undefined for kinds without useful content. */
export function describe(message: Message): string | undefined {
  const { sticker, location, venue, contact, dice, poll } = message;
  if (sticker) return `[User sent a sticker${sticker.emoji === undefined ? '' : ` ${sticker.emoji}`}]`;
  if (venue) return `[User shared a place: ${venue.title}, ${venue.address}]`;
  if (location) return `[User shared a location: ${location.latitude}, ${location.longitude}]`;
  if (contact)
    return `[User shared a contact: ${[contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ')}]`;
  if (dice) return `[User rolled ${dice.emoji}: ${dice.value}]`;
  if (poll) return `[User shared a poll: ${poll.question}]`;
  return undefined;
}
