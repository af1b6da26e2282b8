import type { JsonObject, RecordedCall, TurnContext } from 'pegboard';
import type { ChatAddress } from '../incoming/conversation.ts';
import { toReaction, type ReactionEmoji } from '../tools/reactions.ts';

/** Effects that tools have requested for the end of the turn. A reaction can be the whole answer. */
export interface SideEffects {
  react?: { readonly message: number; readonly emoji: ReactionEmoji };
  replyTo?: number;
  suppressText?: boolean;
}

/** Restores the effects of calls that ended before a restart from the history. */
export function noteEffects(effects: SideEffects, calls: readonly RecordedCall[], message: number): void {
  for (const { tool, args, ok } of calls) {
    if (!ok) continue;
    const given = args as {
      readonly emoji?: string;
      readonly message_id?: number;
      readonly suppress_text?: boolean;
    };
    const emoji = tool === 'telegram.telegram_react' ? toReaction(given.emoji ?? '') : undefined;
    if (emoji) effects.react = { message: given.message_id ?? message, emoji };
    if (emoji && given.suppress_text) effects.suppressText = true;
    if (tool === 'telegram.telegram_reply_to') effects.replyTo = given.message_id ?? message;
  }
}

/** A turn that runs in this process. */
export interface LiveTurn {
  readonly update: number;
  readonly place: ChatAddress;
  readonly user: number;
  /** The message that began it. */
  readonly message: number;
  readonly effects: SideEffects;
  /** Stops it, as /stop does. */
  readonly stop: () => void;
}

export interface LiveTurns {
  add(turn: LiveTurn): Disposable;
  /** Whose tools call. */
  of(turn: TurnContext | undefined): LiveTurn | undefined;
  in(conversation: string): LiveTurn | undefined;
}

/** What the turn's message carries for tools and hooks. */
export interface TelegramContext extends JsonObject {
  readonly update: number;
  readonly chat_id: number;
  readonly topic_id?: number;
  readonly message_id: number;
  readonly user_id: number;
}

export function createLiveTurns(nameOf: (place: ChatAddress) => string): LiveTurns {
  const turns = new Map<number, LiveTurn>();
  const of = (turn: TurnContext | undefined): LiveTurn | undefined => {
    const context = turn?.message.context as TelegramContext | undefined;
    return turn?.message.source === 'telegram' && context ? turns.get(context.update) : undefined;
  };
  return {
    of,
    in: (conversation) => [...turns.values()].find(({ place }) => nameOf(place) === conversation),
    add(turn) {
      turns.set(turn.update, turn);
      return { [Symbol.dispose]: () => void turns.delete(turn.update) };
    },
  };
}
