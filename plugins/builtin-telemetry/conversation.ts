import type { TurnContext } from 'pegboard';

/** `gen_ai.conversation.id`, the same as in the audit: "telegram/12". */
export const conversationOf = ({ conversation }: TurnContext): string =>
  `${conversation.source}/${conversation.id}`;
