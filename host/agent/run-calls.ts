import type { RecordedCall, TurnEvent } from '../api/conversation.ts';
import type { CallRequest, ConfirmPolicy, Dispatch } from '../api/dispatch.ts';
import type { ModelMessage, ModelToolCall } from '../api/model.ts';
import type { MaybePromise, ToolResult } from '../api/result.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import { PegboardError, toFailure } from '../core/errors.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import { failedResult, textOf } from '../tools/result.ts';
import { isMeta } from '../tools/meta.ts';
import { mayHoldSecrets, shownArguments } from '../tools/shown-arguments.ts';
import { unnamed } from './models/wire/call-deltas.ts';
import { incomplete, readArguments, unreadable } from './read-arguments.ts';
import { toModelContent } from './result-content.ts';
import type { Turn } from './turn.ts';

export interface CallRunnerOptions {
  readonly dispatch: Dispatch;
  readonly snapshot: () => Snapshot;
  readonly turn: Turn;
  readonly scope: Scope;
  readonly confirm: ConfirmPolicy | undefined;
  readonly say: (event: TurnEvent) => void;
  /** Takes out what is known as a secret by then. */
  readonly redact: <T>(value: T) => T;
  /** Called before a call has its first effect. Returns its number. */
  readonly begin: (call: Pick<RecordedCall, 'id' | 'tool' | 'args'>) => Promise<number>;
  /** Called for each call as it ends, with what `begin` returned for it. */
  readonly record: (call: RecordedCall, begun: number | undefined) => Promise<void>;
  /** The turn goes on later. */
  readonly isSuspended: () => boolean;
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/** Runs the calls of one reply side by side; the answers come in the order of the calls. Each is recorded as it ends. */
export type RunCalls = (calls: readonly ModelToolCall[]) => Promise<readonly ToolMessage[]>;

export function createCallRunner(options: CallRunnerOptions): RunCalls {
  const { dispatch, snapshot, turn, scope, confirm, say, redact, begin, record, isSuspended } = options;

  const run = async (call: ModelToolCall): Promise<ToolMessage> => {
    const startedAt = performance.now();
    const { args, problem } = parseCall(call, snapshot());
    const shown = effectiveCall(call.name, args, snapshot());
    say({ type: 'tool_start', callId: call.id, tool: shown.tool, args: redact(shown.args) });
    let begun: Promise<number> | undefined;
    const result = await runOrAnswer(call, problem, {
      name: call.name,
      args: problem ?? args,
      scope,
      caller: `agent:${turn.agent}`,
      signal: turn.signal,
      turn,
      beforeEffect: async () =>
        void (await (begun ??= begin({ id: call.id, tool: shown.tool, args: redact(shown.args) }))),
      onProgress(step) {
        const { message } = step;
        if (message === undefined) return;
        say(markUntrusted({ type: 'tool_progress', callId: call.id, message }, ...originsOf(step)));
      },
      ...(turn.ask && { ask: turn.ask }),
      ...(confirm && { confirm }),
    });
    const ms = Math.round(performance.now() - startedAt);
    say({ type: 'tool_end', callId: call.id, tool: shown.tool, result, ms });
    const content = toModelContent(result);
    // What a suspension kept from running is called again; of what it cut off nobody knows the result.
    const isCutOff = isSuspended() && (!begun || result.error?.code === 'PEG_CANCELLED');
    if (!(isCutOff && result.error)) {
      const text = textOf({ content });
      const recorded = { id: call.id, tool: shown.tool, args: redact(shown.args), result: text };
      await record({ ...recorded, ok: !result.error, ms }, await begun);
    }
    return { role: 'tool', callId: call.id, name: call.name, content };
  };

  /** Of a call that can't be read there may be no name: that there is no such tool would be the wrong answer. */
  const runOrAnswer = (
    { name }: ModelToolCall,
    problem: PegboardError | undefined,
    request: CallRequest,
  ): MaybePromise<ToolResult> =>
    problem && name === unnamed ? failedResult(toFailure('validate', problem)) : dispatch(request);

  return async (calls) => {
    // All end before a failure to record one is told.
    const answers = await Promise.allSettled(calls.map(run));
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  };
}

function parseCall(
  { name, arguments: text, problem }: ModelToolCall,
  snapshot: Snapshot,
): { readonly args: unknown; readonly problem?: PegboardError } {
  try {
    if (problem !== undefined) throw incomplete(problem);
    return { args: readArguments(text) };
  } catch (cause) {
    const tool = snapshot.find(name);
    const { code, message } = tool && mayHoldSecrets(tool) ? unreadable() : (cause as PegboardError);
    const explained = new PegboardError(code, message, tool && { data: { schema: tool.parameters } });
    return { args: text, problem: explained };
  }
}

/** Which tool a call is for, also where the model goes through execute_tool, and what that gets but for its secrets. */
function effectiveCall(
  name: string,
  args: unknown,
  snapshot: Snapshot,
): { readonly tool: string; readonly args: unknown } {
  const find = (other: string) => snapshot.find(other);
  const tool = find(name);
  if (tool && isMeta(tool) && tool.name === 'execute_tool') {
    const { name: wanted, params = {} } = (args ?? {}) as {
      readonly name?: unknown;
      readonly params?: unknown;
    };
    const inner = typeof wanted === 'string' ? find(wanted) : undefined;
    if (inner && !isMeta(inner)) return { tool: inner.id, args: shownArguments(inner, params, find) };
  }
  return tool ? { tool: tool.id, args: shownArguments(tool, args, find) } : { tool: name, args };
}
