import {
  asSentence,
  defineTool,
  markUntrusted,
  PegboardError,
  textResult,
  toJson,
  type Clock,
  type Tool,
  type ToolCall,
} from 'pegboard';
import { ChannelFailure, perform, type ChannelContext } from 'pegboard/channels';
import type { BotApi } from '../bot-api.ts';
import { originsFor } from '../incoming/origins.ts';

const parameters = {
  type: 'object',
  additionalProperties: false,
  properties: {
    message_id: {
      type: 'integer',
      minimum: 1,
      description: 'As in [tg:ID]; absent: the message being answered',
    },
  },
} as const;

const pinned = {
  type: 'object',
  properties: {
    message_id: { type: 'integer', description: 'Absent from telegram_unpin: the one that was pinned last.' },
  },
} as const;

/** telegram_pin, telegram_unpin and telegram_get_pinned. They take effect at once, in the chat of the turn. */
export function pinTools(api: BotApi, clock: Clock): readonly Tool[] {
  const ask = async <T>({ signal }: ToolCall, work: () => Promise<T>): Promise<T> => {
    try {
      return await perform(work, { signal, repeatable: true, clock });
    } catch (cause) {
      if (!(cause instanceof ChannelFailure)) throw cause;
      throw new PegboardError('PEG_SERVER_ERROR', `Telegram refused it: ${asSentence(cause.message)}`, {
        cause,
      });
    }
  };

  return [
    defineTool({
      name: 'telegram_pin',
      description: 'Pin a message in this chat, without a notification.',
      parameters,
      outputSchema: pinned,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      async execute({ message_id: target }, call) {
        const { chat_id, message_id } = contextOf(call);
        const id = target ?? message_id;
        const payload = { chat_id, message_id: id, disable_notification: true };
        await ask(call, () => api.raw.pinChatMessage(payload));
        return textResult(`Pinned message ${id}.`, { message_id: id });
      },
    }),
    defineTool({
      name: 'telegram_unpin',
      description: 'Unpin a message of this chat; without an id the one that was pinned last.',
      parameters,
      outputSchema: pinned,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
      async execute({ message_id: id }, call) {
        const { chat_id } = contextOf(call);
        const which = id === undefined ? {} : { message_id: id };
        await ask(call, () => api.raw.unpinChatMessage({ chat_id, ...which }));
        return id === undefined
          ? textResult('Unpinned the last one.', {})
          : textResult(`Unpinned message ${id}.`, { message_id: id });
      },
    }),
    defineTool({
      name: 'telegram_get_pinned',
      description: 'The pinned message of this chat that was sent last.',
      parameters: { type: 'object', additionalProperties: false, properties: {} },
      outputSchema: {
        type: 'object',
        properties: {
          message_id: { type: 'integer', description: 'Absent: nothing is pinned.' },
          text: { type: 'string' },
          from: { type: 'string' },
        },
      },
      annotations: { readOnlyHint: true },
      async execute(_args, call) {
        const { chat_id, person } = contextOf(call);
        const chat = await ask(call, () => api.raw.getChat({ chat_id }));
        const message = chat.pinned_message;
        if (!message) return textResult('Nothing is pinned.', {});
        const text = message.text ?? message.caption ?? '[a message without text]';
        const from = message.from?.first_name;
        const shown = { message_id: message.message_id, text, ...(from !== undefined && { from }) };
        return markUntrusted(textResult(toJson(shown), shown), ...originsFor(person, message));
      },
    }),
  ];
}

function contextOf({ turn }: Pick<ToolCall, 'turn'>): {
  readonly chat_id: number;
  readonly message_id: number;
  readonly person: number;
} {
  if (turn?.message.source !== 'telegram')
    throw new PegboardError('PEG_USAGE', 'This works only in a conversation on Telegram.');
  const { chat, message, person } = turn.message.context as ChannelContext;
  return { chat_id: Number(chat), message_id: Number(message), person: Number(person) };
}
