import type { TurnContext } from '../api/conversation.ts';
import type { Dispatch, CallRequest } from '../api/dispatch.ts';
import type { Stage, ToolOutput, ToolResult } from '../api/result.ts';
import type { Registry, Lease } from '../api/source.ts';
import type { Prepared, RegisteredTool, ToolCall } from '../api/tool.ts';
import { isTimeout, openDeadline, untilStopped } from '../core/async/deadline.ts';
import { PegboardError, readable, toFailure } from '../core/errors.ts';
import { originsOf } from '../core/foreign/untrusted.ts';
import { callTraces } from '../core/traces.ts';
import { limitOutput } from '../tools/output-limit.ts';
import { textIsComplete, isMeta } from '../tools/meta.ts';
import { limitStructure, maxStructureLength } from '../tools/structure-limit.ts';
import { withStructuredText } from '../tools/structured-text.ts';
import { failedResult, toResult } from '../tools/result.ts';
import { createConversationAllowances } from './allowances.ts';
import { authorizeCall } from './authorize-call.ts';
import { nextCallId } from './call.ts';
import { refusalBehind, toAuditLine, type CallRecord } from './call-record.ts';
import { checkDepth, createCallSlots } from './call-slots.ts';
import type { DispatchOptions, Pipeline } from './pipeline.ts';
import { noteEffect } from './record-changes.ts';
import { createKnownAddresses } from './provenance/known-addresses.ts';
import { prepareCall } from './prepare-call.ts';
import { noteOrigins, noteWritten } from './provenance/rule.ts';
import { isVisible } from '../tools/access.ts';
import { invisible, notFound } from '../tools/look-up.ts';

/** Tools that only run other tools, which are checked in their own calls. */
const runners: ReadonlySet<string> = new Set([
  'execute_tool',
  'run_parallel',
  'run_script',
  'run_read_only_script',
]);

const defaultTimeoutSeconds = 60;
/** A process tree gets 2 s between SIGTERM and SIGKILL. */
const stopGraceMs = 3_000;
const neverAborted = new AbortController().signal;

/** One tool call, start to finish: every entry runs tools through this. Never rejects; a failure names its stage. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const pipeline: Pipeline = {
    ...options,
    slots: createCallSlots(options.callLimit),
    allowances: createConversationAllowances(),
    addresses: options.addresses ?? createKnownAddresses(undefined),
    finished: new WeakSet(),
  };
  const runTraced = async (record: CallRecord): Promise<ToolResult> => {
    const started = performance.now();
    const returned = await run(record, pipeline);
    const result = noteOrigins(record, returned, options.fileOrigins);
    await pipeline.addresses.note(record, result);
    pipeline.finished.add(result);
    record.ms = Math.max(0, performance.now() - started - (record.waitedMs ?? 0));
    options.audit?.record(toAuditLine(record, result, record.ms, options.redactor));
    return result;
  };
  return (request) => {
    const record: CallRecord = { id: nextCallId(), request, read: [] };
    return callTraces.tracePromise(runTraced, record, undefined, record);
  };
}

/** The stages of one call, in order. */
async function run(record: CallRecord, pipeline: Pipeline): Promise<ToolResult> {
  const { registry, redactor } = pipeline;
  const { request } = record;
  let stage: Stage = 'resolve';
  const signal = request.signal ?? neverAborted;
  try {
    const hooks = pipeline.hooks();
    signal.throwIfAborted();
    if (request.parent) checkDepth(request.name, request.parent);
    using lease = acquire(registry, request);
    const { tool } = lease;
    record.tool = tool;

    const enter = (next: Stage): void => {
      stage = next;
    };
    const { allowances } = pipeline;
    const how = { options: pipeline, hooks, signal, allowances, enter };
    const { call, shown } = await prepareCall(record, tool, how);
    await authorizeCall(record, call, { pipeline, hooks, shown, enter });

    stage = 'execute';
    const slot = pipeline.slots.take(tool, request.parent, signal);
    using _slot = slot instanceof Promise ? await slot : slot;
    using deadline = openDeadline(timeoutMsOf(tool, call.prepared), signal, pipeline.clock);
    await pipeline.fileOrigins?.follow();
    const began = Date.now();
    if (mayHaveEffect(tool)) await beginEffect(call, pipeline);
    const execute = (): Promise<ToolOutput> =>
      untilStopped(tool.execute(call.args, call.withDeadline(deadline)), deadline.signal, {
        grace: stopGraceMs,
        clock: pipeline.clock,
      });
    let output: ToolOutput;
    try {
      output = await (tool.pausesTurnTimeout ? whilePaused(call.turn, execute) : execute());
      // Reading what a tool returns may run its code too. Origins are read before the output is copied, so that a hook's
      // edit can't drop them.
      if (typeof output === 'object') record.read = [...record.read, ...originsOf(output)];
    } finally {
      // One that fails may have written before.
      await noteWritten(record, call, began, pipeline.fileOrigins);
    }

    const result = isFinished(output, pipeline)
      ? output
      : await limitOutput(
          forReader(redactor.result(toResult(output)), call),
          request.outputLimit ?? pipeline.outputLimit(request.takesLongTexts === true),
          pipeline.artifacts,
        );
    stage = 'finish';
    const edited = await hooks.postTool(call, result);
    return edited === result ? result : redactor.result(withoutStale(edited, result, tool));
  } catch (cause) {
    const failure = toFailure(stage, explainAbort(readable(cause), signal, request.name));
    record.decision ??= refusalBehind(failure);
    return redactor.result(failedResult(failure));
  }
}

/** A hook that replaced only the texts has left a structure that still says what they said. */
function withoutStale(edited: ToolResult, before: ToolResult, tool: RegisteredTool): ToolResult {
  const isStale = edited.content !== before.content && edited.structured === before.structured;
  if (!isStale || !textIsComplete(tool)) return edited;
  const { structured: _, ...rest } = edited;
  return rest;
}

const isFinished = (output: ToolOutput, { finished }: Pipeline): output is ToolResult =>
  typeof output === 'object' && finished.has(output as ToolResult);

/** Pauses the deadline of the turn, and of the turns that wait for it. */
function whilePaused<T>(turn: TurnContext | undefined, work: () => Promise<T>): Promise<T> {
  if (!turn) return work();
  const paused = turn.pausedFor ? () => turn.pausedFor!(work) : work;
  return whilePaused(turn.message.parent?.turn, paused);
}

/** Results of foreign tools show a model their structured content too. */
function forReader(result: ToolResult, { tool, turn }: ToolCall): ToolResult {
  if (textIsComplete(tool)) return limitStructure(result, maxStructureLength);
  return turn && tool.source.kind !== 'builtin' ? withStructuredText(result) : result;
}

/** Reports a timeout or cancellation as such, wherever it was noticed. */
function explainAbort(cause: unknown, signal: AbortSignal, name: string): unknown {
  if (cause instanceof PegboardError) return cause;
  if (isTimeout(cause))
    return new PegboardError('PEG_TIMEOUT', `${name} ${(cause as Error).message} and was stopped.`);
  if (signal.aborted) return new PegboardError('PEG_CANCELLED', `${name} was cancelled.`);
  return cause;
}

/** Finds and leases the tool. Throws PEG_TOOL_NOT_FOUND with near names, PEG_TOOL_UNAVAILABLE when this caller may not use it. */
function acquire(registry: Registry, { name, scope }: CallRequest): Lease {
  const lease = registry.acquire(name);
  if (!lease) throw notFound(registry.snapshot, name, scope);
  if (isVisible(lease.tool, scope)) return lease;
  lease[Symbol.dispose]();
  throw invisible(registry.snapshot, name, lease.tool, scope);
}

const timeoutMsOf = (tool: RegisteredTool, prepared: Prepared | undefined): number =>
  (prepared?.timeout ?? tool.timeout ?? defaultTimeoutSeconds) * 1000;

async function beginEffect(call: ToolCall, { changes, log }: Pipeline): Promise<void> {
  await call.beforeEffect?.();
  if (changes && call.turn && !call.tool.recordsChanges && !isMeta(call.tool))
    await noteEffect(call, { changes, log });
}

/** Whether it must not be repeated by itself. `readOnlyHint` of an MCP server isn't trusted for that. */
const mayHaveEffect = ({ source, annotations, name }: RegisteredTool): boolean =>
  source.kind === 'mcp' ||
  (annotations?.readOnlyHint !== true && !(source.kind === 'builtin' && runners.has(name)));
