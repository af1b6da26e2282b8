import type { Channel, OpenQuestion, Question } from 'pegboard';
import { choicesSchema } from 'pegboard/channels';
import type { Allowed } from '../access/allowed.ts';
import type { TelegramConfig } from '../config.ts';
import { addressNamed } from '../incoming/conversation.ts';
import type { Asks } from './asks.ts';

export type AskOwner = NonNullable<Channel['ask']>;

/** Puts confirmations of other places to the owner, in private. */
export function createAskOwner(
  asks: Asks,
  {
    allowed,
    config,
    signal,
  }: { readonly allowed: Allowed; readonly config: TelegramConfig; readonly signal: AbortSignal },
): AskOwner {
  return async (open, given) => {
    // Every question arrives once as attended, and again when nobody can answer it there.
    if (config.confirmations !== (open.unattended ? 'unattended' : 'all')) return undefined;
    const owner = await allowed.owner();
    if (owner === undefined || isAskedIn(open, owner)) return undefined;
    const where = { update: -open.id, chat: owner, user: owner, place: { chat: owner } };
    try {
      return await asks.askIn(where)(toQuestion(open), AbortSignal.any([given, signal]));
    } finally {
      // Where the host ends instead, its next start says that the question has expired.
      if (given.aborted) await asks.close(where.update);
    }
  };
}

/** The turn that asks is of this very chat. */
const isAskedIn = ({ asker }: OpenQuestion, chat: number): boolean =>
  asker.startsWith('telegram/') && addressNamed(asker.slice('telegram/'.length))?.chat === chat;

function toQuestion({ id, message, detail, notes, choices, asker, agent }: OpenQuestion): Question {
  const who = agent === undefined ? asker : `${asker}, ${agent}`;
  const schema = choicesSchema(choices);
  const asked = `Question ${id}, asked by ${who}`;
  return { message, detail, notes: [...notes, asked], ...(schema && { schema }) };
}
