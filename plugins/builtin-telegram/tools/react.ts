import { defineTool, PegboardError, type Tool } from 'pegboard';
import type { LiveTurns } from '../turns/live-turns.ts';
import { reactions, toReaction } from './reactions.ts';
import { turnOf } from './turn-of-call.ts';

export function reactTool(live: LiveTurns): Tool {
  return defineTool({
    name: 'telegram_react',
    description:
      "React to the user's message with an emoji, once you have finished. With suppress_text the reaction is the whole answer and no text is sent.",
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['emoji'],
      properties: {
        emoji: { type: 'string', description: 'One of Telegram’s reactions, such as 👍 ❤ 🔥 🎉 🤔 👀' },
        message_id: { type: 'integer', description: 'Another message than the one being answered' },
        suppress_text: { type: 'boolean', default: false },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    execute({ emoji, message_id: message, suppress_text: suppress = false }, call) {
      const turn = turnOf(call, live);
      const reaction = toReaction(emoji);
      if (!reaction) {
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          `Telegram knows no reaction ${emoji}. Take one of: ${reactions.join(' ')}`,
        );
      }
      turn.effects.react = { message: message ?? turn.message, emoji: reaction };
      if (suppress) turn.effects.suppressText = true;
      return suppress ? `Will react with ${reaction} and send no text.` : `Will react with ${reaction}.`;
    },
  });
}
