import type { RecordedCall, TurnEvent } from '../../api/conversation.ts';
import type { ModelMessage, ModelToolCall } from '../../api/model.ts';
import type { Content, JsonObject, ToolResult } from '../../api/result.ts';
import type { EarlierTurn } from '../../store/conversations/earlier-turn.ts';
import type { TurnCall } from '../../store/conversations/messages.ts';
import type { StoredModelCall } from '../../store/conversations/stored-reply.ts';

/** A reply of the model in an attempt that was interrupted, with the calls of it that have a result. */
export interface EarlierRound {
  /** From 1 on. */
  readonly round: number;
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly replay?: JsonObject | undefined;
  /** By the id that the model gave the call. The others have not run, or may run again. */
  readonly ended: ReadonlyMap<string, TurnCall>;
}

/** The rounds of an interrupted turn, in order, so that the model is shown exactly what it has seen. */
export function roundsOf({ replies, toolCalls }: EarlierTurn): readonly EarlierRound[] {
  return replies.map(({ round, text, calls, replay }) => ({
    round,
    text,
    toolCalls: calls.map(readable),
    replay,
    ended: new Map(toolCalls.filter((call) => call.round === round).map((call) => [call.id, call])),
  }));
}

/** Calls of a turn of an earlier version, which stored no replies. */
export const callsWithoutRound = ({ toolCalls }: EarlierTurn): readonly TurnCall[] =>
  toolCalls.filter(({ round }) => round === undefined);

const readable = ({ isWithheld, ...call }: StoredModelCall): ModelToolCall =>
  isWithheld && call.problem === undefined
    ? { ...call, problem: 'Pegboard was restarted, and does not store arguments that hold a secret' }
    : call;

/** The result of an ended call as the model has read it. */
export const earlierResult = (
  { id, name }: ModelToolCall,
  call: TurnCall,
): Extract<ModelMessage, { role: 'tool' }> => ({
  role: 'tool',
  callId: id,
  name,
  content: contentOf(call),
});

/** The events of an ended call, for whoever follows only this attempt. */
export function* earlierEvents(call: TurnCall): Generator<TurnEvent> {
  const { id: callId, tool, args, ms } = call;
  yield { type: 'tool_start', callId, tool, args };
  yield { type: 'tool_end', callId, tool, result: toResult(call), ms };
}

function toResult(call: TurnCall): ToolResult {
  const content = contentOf(call);
  if (call.ok) return { content };
  const code = call.uncertain ? 'PEG_UNCERTAIN' : 'PEG_TOOL_FAILED';
  return { content, error: { code, stage: 'execute', message: call.result } };
}

const contentOf = ({ content, result }: TurnCall): readonly Content[] =>
  content ?? [{ type: 'text', text: result }];

/** Without what is needed only to go on. */
export const toRecorded = ({ id, tool, args, result, ok, ms }: TurnCall): RecordedCall => ({
  id,
  tool,
  args,
  result,
  ok,
  ms,
});
