import type { Reply } from '../../api/conversation.ts';
import { PegboardError } from '../../core/errors.ts';
import type { EarlierTurn } from '../../store/conversations/earlier-turn.ts';
import { claimLost } from '../../store/conversations/claim-lost.ts';
import { toRecorded } from './earlier-rounds.ts';

/**
 * The stored reply to a message that is delivered again. Undefined when its turn can go on. Throws PEG_CLAIM_LOST while
 * another process works on it, and PEG_UNCERTAIN when it can't go on.
 */
export function earlierReply(earlier: EarlierTurn): Reply | undefined {
  const { text, toolCalls, conversation, untrusted, messageId, stopped, state, replies } = earlier;
  const uncertain = toolCalls.filter((call) => call.uncertain);
  if (state === 'done')
    return {
      text,
      toolCalls: toolCalls.map(toRecorded),
      usage: { input: 0, output: 0 },
      conversation,
      untrusted,
      messageId,
      ...(uncertain.length > 0 && { uncertain: uncertain.map(toRecorded) }),
      ...(stopped !== undefined && { stopped }),
    };
  if (state === 'running') throw claimLost();
  const [cutOff] = uncertain;
  if (!cutOff || replies.length > 0) return undefined;
  // Earlier versions stored no replies, so it is unknown what else the model had asked for.
  throw new PegboardError(
    'PEG_UNCERTAIN',
    `The turn for this message was interrupted during a call that may have taken effect (${cutOff.tool}), so it is not repeated. Check what was done, and send the message again if something is missing.`,
  );
}
