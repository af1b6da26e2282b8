import { defineTool, type Tool } from 'pegboard';
import type { LiveTurns } from '../turns/live-turns.ts';
import { turnOf } from './turn-of-call.ts';

export function replyToTool(live: LiveTurns): Tool {
  return defineTool({
    name: 'telegram_reply_to',
    description:
      'Send your answer as a reply to a certain message. The ids stand before messages as [tg:ID]; without one, the message being answered.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: { message_id: { type: 'integer', minimum: 1 } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    execute({ message_id: message }, call) {
      const turn = turnOf(call, live);
      turn.effects.replyTo = message ?? turn.message;
      return `The answer will be a reply to message ${turn.effects.replyTo}.`;
    },
  });
}
