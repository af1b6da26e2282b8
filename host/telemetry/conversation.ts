import type { TurnContext } from '../api/conversation.ts';

/** `gen_ai.conversation.id`, the same as in the audit: "telegram/12". */
export const conversationOf = ({ conversation }: TurnContext): string =>
  `${conversation.source}/${conversation.id}`;
