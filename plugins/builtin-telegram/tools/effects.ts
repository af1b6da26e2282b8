import type { RecordedCall } from 'pegboard';
import type { SideEffects } from 'pegboard/channels';
import { toReaction } from './reactions.ts';

/** The side effects that a call of these tools has requested for the end of its turn. `message`: the one that began the turn. */
export function effectsOf({ tool, args, ok }: RecordedCall, message: string): SideEffects | undefined {
  if (!ok) return undefined;
  const {
    emoji = '',
    message_id: id,
    suppress_text: isSilent = false,
  } = args as { readonly emoji?: string; readonly message_id?: number; readonly suppress_text?: boolean };
  const meant = id === undefined ? message : String(id);
  if (tool === 'telegram.telegram_reply_to') return { replyTo: meant };
  const reaction = tool === 'telegram.telegram_react' ? toReaction(emoji) : undefined;
  if (!reaction) return undefined;
  return { react: { message: meant, emoji: reaction }, ...(isSilent && { suppressText: true }) };
}
