import type { Question } from '../../api/ask.ts';
import type { ChatAddress } from '../../api/channels/driver.ts';
import type { Channel } from '../../api/channels/channel.ts';
import type { OpenQuestion } from '../../api/questions.ts';
import { choicesSchema } from '../../core/choices.ts';
import { addressNamed } from '../address.ts';
import type { ChannelParts } from '../channel-parts.ts';

export type AskOwner = NonNullable<Channel['ask']>;

/** Puts confirmations of other places to the owner, in private. */
export function createAskOwner({ name, asks, allowed, settings, signal }: ChannelParts): AskOwner {
  return async (open, given) => {
    // Every question arrives once as attended, and again when nobody can answer it there.
    if (settings.confirmations !== (open.unattended ? 'unattended' : 'all')) return undefined;
    const [person, address] = [await allowed.owner(), await allowed.ownerChat()];
    if (person === undefined || !address || isAskedIn(open, name, address)) return undefined;
    const where = { event: -open.id, address, person };
    try {
      return await asks.askIn(where)(toQuestion(open), AbortSignal.any([given, signal]));
    } finally {
      // Where the host ends instead, its next start says that the question has expired.
      if (given.aborted) await asks.close(where.event);
    }
  };
}

/** The turn that asks is of this very chat. */
const isAskedIn = ({ asker }: OpenQuestion, channel: string, { chat }: ChatAddress): boolean =>
  asker.startsWith(`${channel}/`) && addressNamed(asker.slice(channel.length + 1)).chat === chat;

function toQuestion({ id, message, detail, notes, choices, asker, agent }: OpenQuestion): Question {
  const who = agent === undefined ? asker : `${asker}, ${agent}`;
  const schema = choicesSchema(choices);
  const asked = `Question ${id}, asked by ${who}`;
  return { message, detail, notes: [...notes, asked], ...(schema && { schema }) };
}
