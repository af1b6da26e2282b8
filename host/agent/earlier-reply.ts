import type { Reply } from '../api/conversation.ts';
import { PegboardError } from '../core/errors.ts';
import type { EarlierTurn } from '../store/conversations/earlier-turn.ts';

/**
 * The stored reply to a message that is delivered again. Undefined when its turn can be resumed. Throws PEG_UNCERTAIN
 * when it can't.
 */
export function earlierReply(earlier: EarlierTurn): Reply | undefined {
  const { text, toolCalls, conversation, untrusted, messageId, stopped, state } = earlier;
  if (state === 'done') {
    const usage = { input: 0, output: 0 };
    const reply = { text, toolCalls, usage, conversation, untrusted, messageId };
    return stopped === undefined ? reply : { ...reply, stopped };
  }
  if (!earlier.isUncertain && state !== 'running') return undefined;
  const last = toolCalls.at(-1)?.tool ?? 'no call was recorded';
  throw new PegboardError(
    'PEG_UNCERTAIN',
    `The turn for this message was interrupted during a call that may have taken effect (${last}), so it is not repeated. Check what was done, and send the message again if something is missing.`,
  );
}
