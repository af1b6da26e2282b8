import { defineTool, textResult, type Tool } from 'pegboard';
import type { HostedChannel } from 'pegboard/channels';

export function replyToTool(channel: Pick<HostedChannel, 'turnOf'>): Tool {
  return defineTool({
    name: 'telegram_reply_to',
    description:
      'Send your answer as a reply to a certain message. The ids stand before messages as [tg:ID]; without one, the message being answered.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: { message_id: { type: 'integer', minimum: 1 } },
    },
    outputSchema: {
      type: 'object',
      required: ['message_id'],
      properties: { message_id: { type: 'integer' } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    execute({ message_id: message }, call) {
      const turn = channel.turnOf(call);
      const meant = message === undefined ? turn.message : String(message);
      turn.effects.replyTo = meant;
      return textResult(`The answer will be a reply to message ${meant}.`, { message_id: Number(meant) });
    },
  });
}
