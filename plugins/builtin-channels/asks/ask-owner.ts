import type { Channel, ChatAddress, OpenQuestion, Question } from 'pegboard';
import { choicesSchema } from 'pegboard/kit';
import { addressNamed } from '../address.ts';
import type { ChannelParts } from '../channel-parts.ts';

export type AskOwner = NonNullable<Channel['ask']>;

/** Asks the owner, in a private chat, what came up elsewhere. */
export function createAskOwner({ name, asks, allowed, settings, signal }: ChannelParts): AskOwner {
  return async (open, given) => {
    // Every question arrives once as attended, and again when nobody can answer it where it was asked.
    if (settings.confirmations !== (open.unattended ? 'unattended' : 'all')) return undefined;
    const [person, address] = [await allowed.owner(), await allowed.ownerChat()];
    if (person === undefined || !address || isAskedIn(open, name, address)) return undefined;
    const where = { event: -open.id, address, person };
    try {
      return await asks.askIn(where)(toQuestion(open), AbortSignal.any([given, signal]));
    } finally {
      // If the host stops instead, its next start marks the question as expired.
      if (given.aborted) await asks.close(where.event);
    }
  };
}

/** Whether the turn that asks belongs to this chat. */
const isAskedIn = ({ asker }: OpenQuestion, channel: string, { chat }: ChatAddress): boolean =>
  asker.startsWith(`${channel}/`) && addressNamed(asker.slice(channel.length + 1)).chat === chat;

function toQuestion({ agent, asker, ...open }: OpenQuestion): Question {
  const { id, kind, message, detail, notes, choices, url, multiple } = open;
  const who = agent === undefined ? asker : `${asker}, ${agent}`;
  const asked = `Question ${id}, asked by ${who}`;
  const schema = open.schema ?? choicesSchema(choices);
  return {
    kind,
    message,
    ...(detail !== '' && { detail }),
    notes: [...notes, asked],
    ...(schema && { schema }),
    ...(url !== undefined && { url }),
    ...(multiple !== undefined && { multiple }),
    ...(choices.length > 0 && { takesInstead: true }),
  };
}
