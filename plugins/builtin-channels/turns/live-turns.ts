import type { ChatAddress, JsonObject, RecordedCall, TurnContext } from 'pegboard';
import { nameOf } from '../address.ts';

/** Actions that tools have requested for the end of the turn. A reaction can be the whole answer. */
export interface SideEffects {
  react?: { readonly message: string; readonly emoji: string };
  replyTo?: string;
  suppressText?: boolean;
}

/** Restores the effects that a recorded call has requested, when its turn is resumed after a restart. */
export type EffectsOf = (call: RecordedCall, message: string) => SideEffects | undefined;

/** A turn that runs in this process. */
export interface LiveTurn {
  /** The stored id of the event that began it. */
  readonly event: number;
  readonly address: ChatAddress;
  /** The id of the person who began it. */
  readonly person: string;
  /** The message that began it. */
  readonly message: string;
  /** Tools may change them until the turn ends. */
  readonly effects: SideEffects;
  /** Stops it, as /stop does. */
  readonly stop: () => void;
}

export interface LiveTurns {
  add(turn: LiveTurn): Disposable;
  /** The turn of a tool call. */
  of(turn: TurnContext | undefined): LiveTurn | undefined;
  in(conversation: string): LiveTurn | undefined;
}

/** The context of a channel's message, for tools and hooks. */
export interface ChannelContext extends JsonObject {
  /** The stored id of the event. */
  readonly event: number;
  readonly chat: string;
  readonly topic?: string;
  readonly message: string;
  readonly person: string;
}

/** `channel`: its name. */
export function createLiveTurns(channel: string): LiveTurns {
  const turns = new Map<number, LiveTurn>();
  return {
    of(turn) {
      const context = turn?.message.context as ChannelContext | undefined;
      return turn?.message.source === channel && context ? turns.get(context.event) : undefined;
    },
    in: (conversation) => [...turns.values()].find(({ address }) => nameOf(address) === conversation),
    add(turn) {
      turns.set(turn.event, turn);
      return { [Symbol.dispose]: () => void turns.delete(turn.event) };
    },
  };
}
