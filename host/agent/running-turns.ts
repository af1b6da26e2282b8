import type { ConversationKey, RecordedCall, TurnContext, TurnEvent } from '../api/conversation.ts';
import type { ToolResult } from '../api/result.ts';

/** A call of a running turn. Without a result it runs. */
export interface RunningCall {
  /** Unique in its turn. */
  readonly id: string;
  readonly tool: string;
  /** Without secrets. */
  readonly args: unknown;
  /** What it last said of its progress. */
  readonly progress?: string;
  readonly result?: ToolResult | Pick<RecordedCall, 'result' | 'ok'>;
  /** Milliseconds. */
  readonly ms?: number;
}

/** A turn that runs in this process, as far as it has come. */
export interface RunningTurn {
  /** Not reused in this process. */
  readonly id: number;
  readonly conversation: ConversationKey & { readonly id: number };
  readonly agent: string;
  /** The channel's own id of the message that it answers. */
  readonly externalMessageId: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The id of the stored answer, once there is one. */
  readonly messageId: number | undefined;
  readonly text: string;
  /** The end of what the model has thought. */
  readonly thinking: string;
  /** In the order in which they ended, as they are stored; then those that run. */
  readonly calls: ReadonlyMap<string, RunningCall>;
  /** The last one. */
  readonly notice: string | undefined;
}

type TurnChange =
  | { readonly type: 'begun' | 'ended' | 'thinking' | 'notice' }
  /** The text was changed from this character on. */
  | { readonly type: 'text'; readonly from: number }
  | { readonly type: 'call'; readonly call: string };

/** The turns that run in this process, for whoever begins to look in the middle of one. */
export interface RunningTurns {
  readonly all: readonly RunningTurn[];
  /** `earlier`: calls that had ended before the turn was interrupted. Disposing ends it. */
  begin(turn: TurnContext, earlier: readonly RecordedCall[]): FollowedTurn;
  /** `listener` must not throw. */
  onChange(listener: (turn: RunningTurn, change: TurnChange) => void): Disposable;
}

interface FollowedTurn extends Disposable {
  readonly say: (event: TurnEvent) => void;
  /** Notes where the answer is stored. */
  storedAs(messageId: number): void;
}

/** Characters of its thinking that are kept. */
const maxThinkingLength = 600;

export function createRunningTurns(): RunningTurns {
  const turns = new Set<RunningTurn>();
  const listeners = new Set<(turn: RunningTurn, change: TurnChange) => void>();
  let last = 0;
  const tell = (turn: RunningTurn, change: TurnChange): void => {
    for (const listener of listeners) listener(turn, change);
  };
  return {
    get all() {
      return [...turns];
    },
    begin({ message, conversation, agent }, earlier) {
      const calls = new Map<string, RunningCall>();
      for (const { id, tool, args, result, ok, ms } of earlier)
        calls.set(id, { id, tool, args, result: { result, ok }, ms });
      const turn = {
        id: ++last,
        conversation,
        agent,
        externalMessageId: message.externalMessageId,
        startedAt: Date.now(),
        messageId: undefined as number | undefined,
        text: '',
        thinking: '',
        calls,
        notice: undefined as string | undefined,
      };
      /** The length of the text that a restart keeps. */
      let kept = 0;
      turns.add(turn);
      tell(turn, { type: 'begun' });
      const keys = new Map<string, string>();
      const change = (callId: string, apply: (call: RunningCall) => void): void => {
        const call = calls.get(keys.get(callId) ?? callId);
        if (!call) return;
        apply(call);
        tell(turn, { type: 'call', call: call.id });
      };
      const say = (event: TurnEvent): void => {
        switch (event.type) {
          case 'text': {
            const from = turn.text.length;
            turn.text += event.text;
            return tell(turn, { type: 'text', from });
          }
          case 'restart':
            turn.text = turn.text.slice(0, kept);
            return tell(turn, { type: 'text', from: kept });
          case 'thinking':
            turn.thinking = (turn.thinking + event.text).slice(-maxThinkingLength);
            return tell(turn, { type: 'thinking' });
          case 'notice':
            turn.notice = event.text;
            return tell(turn, { type: 'notice' });
          case 'tool_start': {
            kept = turn.text.length;
            const { callId, tool, args } = event;
            // Some models use an id again in a later round.
            const id = calls.has(callId) ? `${callId}~${calls.size}` : callId;
            keys.set(callId, id);
            calls.set(id, { id, tool, args });
            return tell(turn, { type: 'call', call: id });
          }
          case 'tool_progress':
            return change(event.callId, (call) => calls.set(call.id, { ...call, progress: event.message }));
          case 'tool_end': {
            const { tool, result, ms } = event;
            return change(event.callId, (call) => endCall(calls, { ...call, tool, result, ms }));
          }
        }
      };
      return {
        say,
        storedAs: (messageId) => void (turn.messageId = messageId),
        [Symbol.dispose]() {
          turns.delete(turn);
          tell(turn, { type: 'ended' });
        },
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

/** Calls that have ended come first, in the order in which they did. */
function endCall(calls: Map<string, RunningCall>, ended: RunningCall): void {
  const running = [...calls.values()].filter(({ result }) => !result);
  for (const { id } of running) calls.delete(id);
  calls.set(ended.id, ended);
  for (const call of running) if (call.id !== ended.id) calls.set(call.id, call);
}
