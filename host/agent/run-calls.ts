import type { RecordedCall, TurnEvent } from '../api/conversation.ts';
import type { CallRequest, Checkpoint, ConfirmPolicy, Dispatch } from '../api/dispatch.ts';
import type { ModelMessage, ModelToolCall } from '../api/model.ts';
import type { Content, MaybePromise, ToolResult } from '../api/result.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError, toFailure } from '../core/errors.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import { progressText } from '../core/text/progress-text.ts';
import type { StoredTurn } from '../store/conversations/turns.ts';
import { failedResult, textOf } from '../tools/result.ts';
import { textIsComplete, isMeta } from '../tools/meta.ts';
import { shownArguments } from '../tools/shown-arguments.ts';
import { unnamed } from './models/wire/call-deltas.ts';
import { parseCall } from './parse-call.ts';
import { toModelContent } from './result-content.ts';
import type { Suspension } from './resume/suspension.ts';
import type { Turn } from './turn.ts';

export interface CallRunnerOptions {
  readonly dispatch: Dispatch;
  readonly snapshot: () => Snapshot;
  readonly turn: Turn;
  readonly scope: Scope;
  readonly confirm: ConfirmPolicy | undefined;
  readonly say: (event: TurnEvent) => void;
  /** Removes the secrets known at the time of the call. */
  readonly redact: <T>(value: T) => T;
  readonly stored: Pick<StoredTurn, 'beginCall' | 'recordCall' | 'pauseCall' | 'pausedCall' | 'forgetPaused'>;
  /** Called for each call that was recorded. */
  readonly onRecorded: (call: RecordedCall) => void;
  /** Of a turn that can go on after a restart. */
  readonly suspension: Suspension | undefined;
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/** Runs one call of a reply, and records it as it ends. `round`: of the reply, from 1 on. */
export type RunCall = (call: ModelToolCall, round: number) => Promise<ToolMessage>;

export function createCallRunner(options: CallRunnerOptions): RunCall {
  const { dispatch, snapshot, turn, scope, confirm, say, redact, stored, onRecorded, suspension } = options;

  /** An unreadable call may have no name: "no such tool" would be the wrong answer. */
  const runOrAnswer = (
    { name }: ModelToolCall,
    problem: PegboardError | undefined,
    request: CallRequest,
  ): MaybePromise<ToolResult> =>
    problem && name === unnamed ? failedResult(toFailure('validate', problem)) : dispatch(request);

  return async (call, round) => {
    const startedAt = performance.now();
    const { args, problem } = parseCall(call, snapshot());
    const shown = effectiveCall(call.name, args, snapshot());
    const described = { id: call.id, tool: shown.tool, args: redact(shown.args) };
    say({ type: 'tool_start', callId: call.id, tool: shown.tool, args: described.args });
    let begun: Promise<number> | undefined;
    const suspended = suspension?.requested;
    const paused = suspension && checkpointIn(stored, turn, { id: call.id, round });
    const isRepeatable = (): boolean => begun === undefined || paused?.isSaved === true;
    using cut = cutOffBy(suspended, isRepeatable);
    const returned = await runOrAnswer(call, problem, {
      name: call.name,
      args: problem ?? args,
      scope,
      caller: `agent:${turn.agent}`,
      signal: AbortSignal.any([turn.signal, cut.signal]),
      turn,
      async beforeEffect() {
        if (isRepeatable()) suspended?.throwIfAborted();
        await (begun ??= stored.beginCall(described, round));
      },
      onProgress(step) {
        const message = progressText(step);
        if (message === '') return;
        say(markUntrusted({ type: 'tool_progress', callId: call.id, message }, ...originsOf(step)));
      },
      ...(paused && { checkpoint: paused }),
      ...(turn.ask && { ask: turn.ask }),
      ...(confirm && { confirm }),
    });
    const ms = Math.round(performance.now() - startedAt);
    const result = forModel(returned, snapshot().find(shown.tool));
    say({ type: 'tool_end', callId: call.id, tool: shown.tool, result, ms });
    const content = toModelContent(result);
    // A call that a suspension prevented is repeated later, or goes on; the result of one that it interrupted is unknown.
    const isCutOff = suspended?.aborted === true && (!begun || isInterruption(result.error?.code));
    if (!(isCutOff && result.error)) {
      const text = textOf({ content });
      const recorded = { ...described, result: text, ok: !result.error, ms };
      onRecorded(recorded);
      await stored.recordCall({
        call: recorded,
        round,
        content: isOnly(text, content) ? undefined : content,
        untrusted: turn.untrusted.origins,
        begun: await begun,
      });
    }
    return { role: 'tool', callId: call.id, name: call.name, content };
  };
}

/** A job that its host has to leave ends its calls with PEG_CLAIM_LOST. */
const isInterruption = (code: string | undefined): boolean =>
  code === 'PEG_CANCELLED' || code === 'PEG_CLAIM_LOST';

/** Where a call of this turn keeps its state. `isSaved`: it can go on from there. */
function checkpointIn(
  stored: Pick<StoredTurn, 'pauseCall' | 'pausedCall' | 'forgetPaused'>,
  turn: Turn,
  { id, round }: { readonly id: string; readonly round: number },
): Checkpoint & { readonly isSaved: boolean } {
  let isSaved = false;
  return {
    get isSaved() {
      return isSaved;
    },
    async load() {
      const state = await stored.pausedCall(id, round);
      isSaved = state !== undefined;
      return state;
    },
    async save(version, bytes) {
      await stored.pauseCall(id, round, { version, bytes }, turn.untrusted.origins);
      isSaved = true;
    },
    async discard() {
      await stored.forgetPaused(id, round);
      isSaved = false;
    },
  };
}

/** Without structured content that is for programs only. */
function forModel(result: ToolResult, tool: RegisteredTool | undefined): ToolResult {
  if (!tool || !textIsComplete(tool)) return result;
  const { structured: _, ...rest } = result;
  return rest;
}

const isOnly = (text: string, [first, ...rest]: readonly Content[]): boolean =>
  rest.length === 0 && first?.type === 'text' && first.text === text && Object.keys(first).length === 2;

/** Aborts with `signal` while `may` says so. */
function cutOffBy(
  signal: AbortSignal | undefined,
  may: () => boolean,
): Disposable & { readonly signal: AbortSignal } {
  const cut = new AbortController();
  const abort = (): void => {
    if (may()) cut.abort(signal!.reason);
  };
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted) abort();
  return { signal: cut.signal, [Symbol.dispose]: () => signal?.removeEventListener('abort', abort) };
}

/** The tool that a call runs, also through execute_tool, and its arguments without secrets. */
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
