import { defineTool, PegboardError, textResult, type Tool } from 'pegboard';
import type { HostedChannel } from 'pegboard/channels';
import { reactions, toReaction } from './reactions.ts';

export function reactTool(channel: Pick<HostedChannel, 'turnOf'>): Tool {
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
    outputSchema: {
      type: 'object',
      required: ['message_id', 'emoji', 'suppress_text'],
      properties: {
        message_id: { type: 'integer' },
        emoji: { type: 'string' },
        suppress_text: { type: 'boolean' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    execute({ emoji, message_id: message, suppress_text: suppress = false }, call) {
      const turn = channel.turnOf(call);
      const reaction = toReaction(emoji);
      if (!reaction) {
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          `Telegram has no reaction ${emoji}. Use one of: ${reactions.join(' ')}`,
        );
      }
      const meant = message === undefined ? turn.message : String(message);
      turn.effects.react = { message: meant, emoji: reaction };
      if (suppress) turn.effects.suppressText = true;
      const text = suppress
        ? `Will react with ${reaction} and send no text.`
        : `Will react with ${reaction}.`;
      return textResult(text, { message_id: Number(meant), emoji: reaction, suppress_text: suppress });
    },
  });
}
