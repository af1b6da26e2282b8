/** The kinds of updates to request. Telegram sends reactions only on request. */
export const allowedUpdates = [
  'message',
  'edited_message',
  'callback_query',
  'message_reaction',
  'my_chat_member',
] as const;
