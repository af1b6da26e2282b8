import type { JsonObject, ToolCall, TurnContext } from 'pegboard';
import type { Place } from '../incoming/conversation.ts';
import type { ReactionEmoji } from '../tools/reactions.ts';
import type { Acting } from './acting.ts';

/** What tools want done once the agent has finished. A reaction can be the whole answer. */
export interface SideEffects {
  react?: { readonly message: number; readonly emoji: ReactionEmoji };
  replyTo?: number;
  suppressText?: boolean;
}

/** A turn that runs in this process. */
export interface LiveTurn {
  readonly update: number;
  readonly place: Place;
  readonly user: number;
  /** The message that began it. */
  readonly message: number;
  readonly effects: SideEffects;
  /** Stops it, as /stop does. */
  readonly stop: () => void;
  readonly acting: Acting;
}

export interface LiveTurns {
  add(turn: LiveTurn): Disposable;
  /** Whose tools call. */
  of(turn: TurnContext | undefined): LiveTurn | undefined;
  in(conversation: string): LiveTurn | undefined;
  /** For the host's hooks: before a tool of a turn runs, and when it has ended. */
  onCall(call: ToolCall): Promise<void>;
  onCalled(call: ToolCall): void;
}

/** What the turn's message carries for tools and hooks. */
export interface TelegramContext extends JsonObject {
  readonly update: number;
  readonly chat_id: number;
  readonly topic_id?: number;
  readonly message_id: number;
  readonly user_id: number;
}

export function createLiveTurns(nameOf: (place: Place) => string): LiveTurns {
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
    async onCall(call) {
      if (!isHarmless(call)) await of(call.turn)?.acting.begins();
    },
    onCalled(call) {
      if (!isHarmless(call)) of(call.turn)?.acting.ends();
    },
  };
}

/** Of the built-in ones we know that a hint to read only holds; those that run others are judged by what they run. */
function isHarmless({ tool }: ToolCall): boolean {
  const { source, annotations, name } = tool;
  if (source.kind !== 'builtin') return false;
  return annotations?.readOnlyHint === true || name === 'execute_tool' || name === 'run_parallel';
}
