/** The kinds of updates that we understand. Telegram sends reactions only to those who ask for them. */
export const wantedUpdates = ['message', 'edited_message', 'callback_query', 'message_reaction'] as const;
