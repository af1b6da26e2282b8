import type { Artifacts } from '../api/artifacts.ts';
import type { FileOrigins } from '../api/file-origins.ts';
import type { TurnContext } from '../api/conversation.ts';
import type { ConfirmPolicy, Dispatch, ProvenanceRule, CallRequest } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { MaybePromise, Stage, ToolOutput, ToolResult } from '../api/result.ts';
import type { Sandbox } from '../api/sandbox.ts';
import type { Registry, Scope, Lease } from '../api/source.ts';
import type { Credential, Prepared, RegisteredTool, ToolCall } from '../api/tool.ts';
import { isTimeout, openDeadline, untilStopped } from '../core/async/deadline.ts';
import { PegboardError, toFailure } from '../core/errors.ts';
import { addUsage } from '../core/add-usage.ts';
import type { ConcurrencyLimitOptions } from '../core/async/concurrency-limit.ts';
import { originsOf } from '../core/foreign/untrusted.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { secretArguments } from '../core/secrets/secret-arguments.ts';
import type { WhyUnset } from '../core/secrets/why-unset.ts';
import { callTraces } from '../core/traces.ts';
import type { Audit } from '../store/audit.ts';
import type { FileChanges } from '../store/undo/file-changes.ts';
import { limitOutput } from '../tools/output-limit.ts';
import { hasWholeTexts, isMeta } from '../tools/meta.ts';
import { limitStructure, maxStructureLength } from '../tools/structure-limit.ts';
import { withStructuredText } from '../tools/structured-text.ts';
import { failedResult, toResult } from '../tools/result.ts';
import { shownArguments } from '../tools/shown-arguments.ts';
import { createConversationAllowances, type ConversationAllowances } from './allowances.ts';
import type { RemoteAnswers } from './ask-everywhere.ts';
import { checkArguments, checkNumbers } from './arguments.ts';
import { createCall, nextCallId } from './call.ts';
import { refusalBehind, toAuditLine, type CallRecord } from './call-record.ts';
import { confirm, type Approvals } from './confirm.ts';
import { credentialFor } from './credential.ts';
import type { HookTable } from './hook-table.ts';
import { checkPrepared } from './check-prepared.ts';
import { checkDepth, createCallSlots, type CallSlots } from './call-slots.ts';
import { noteOrigins } from './provenance.ts';
import { isVisible } from '../tools/access.ts';
import { invisible, notFound } from '../tools/look-up.ts';

/** Tools that only run other tools, which are checked in their own calls. */
const runners: ReadonlySet<string> = new Set([
  'execute_tool',
  'run_parallel',
  'run_script',
  'run_read_only_script',
]);

export interface DispatchOptions {
  readonly registry: Registry;
  /** Read once per call: a reload takes effect between calls, never inside one. */
  readonly hooks: () => HookTable;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  /** Absent: no file of the home is known to hold untrusted content. */
  readonly fileOrigins?: FileOrigins;
  /** Absent: changes of files are not recorded. */
  readonly changes?: FileChanges;
  readonly redactor: Redactor;
  readonly confirmPolicy: () => ConfirmPolicy;
  /** Default: strict. */
  readonly provenanceRule?: () => ProvenanceRule;
  /** Maximum characters of a text block in a result. */
  readonly outputLimit: (takesLongTexts: boolean) => number;
  /** Resolves a variable or secret that an agent's file names. Absent: there are none. */
  readonly resolve?: (name: string) => string | undefined;
  readonly whyUnset?: WhyUnset | undefined;
  /** The sandbox of programs that a call starts. Absent: none. */
  readonly sandbox?: (tool: RegisteredTool, scope: Scope) => MaybePromise<Sandbox | undefined>;
  readonly log: Logger;
  /** Other places that can answer questions; absent: none. */
  readonly elsewhere?: RemoteAnswers;
  /** How many calls run at once, and how long others queue. Default: `defaultCallLimit`. */
  readonly callLimit?: Omit<ConcurrencyLimitOptions, 'what'>;
  /** Records a line for every call; absent: no audit. */
  readonly audit?: Pick<Audit, 'record'>;
}

const defaultTimeoutSeconds = 60;
/** A process tree gets 2 s between SIGTERM and SIGKILL. */
const stopGraceMs = 3_000;
const neverAborted = new AbortController().signal;

/** What all calls of one host share. */
interface Pipeline extends DispatchOptions {
  readonly slots: CallSlots;
  readonly allowances: ConversationAllowances;
  /** Results that are redacted and cut already: a tool may pass on the result of an inner call. */
  readonly finished: WeakSet<ToolResult>;
}

/** One tool call, start to finish: every entry runs tools through this. Never rejects; a failure names its stage. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const pipeline: Pipeline = {
    ...options,
    slots: createCallSlots(options.callLimit),
    allowances: createConversationAllowances(),
    finished: new WeakSet(),
  };
  const runTraced = async (record: CallRecord): Promise<ToolResult> => {
    const started = performance.now();
    const returned = await run(record, pipeline);
    const result = noteOrigins(record, returned, options.fileOrigins);
    pipeline.finished.add(result);
    record.ms = Math.max(0, performance.now() - started - (record.waitedMs ?? 0));
    options.audit?.record(toAuditLine(record, result, record.ms));
    return result;
  };
  return (request) => {
    const record: CallRecord = { id: nextCallId(), request, read: [] };
    return callTraces.tracePromise(runTraced, record, undefined, record);
  };
}

/** The stages of one call, in order. */
async function run(record: CallRecord, pipeline: Pipeline): Promise<ToolResult> {
  const { registry, redactor, log } = pipeline;
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

    stage = 'validate';
    if (request.args instanceof PegboardError) throw request.args;
    checkNumbers(tool, request.args);
    const rewritten = await hooks.preValidate(tool, request.scope, request.args);
    const args = await checkArguments(tool, rewritten, log);
    const shown = shownArguments(tool, args, (other) => registry.snapshot.find(other));
    record.args = shown;
    for (const [name, value] of secretArguments(tool.parameters, args)) redactor.add(name, value);

    stage = 'prepare';
    const module = request.scope.modules?.get(tool.source.module);
    const confined = pipeline.sandbox?.(tool, request.scope);
    const sandbox = confined instanceof Promise ? await confined : confined;
    const turn = request.turn ?? request.parent?.turn;
    const caller = { ...request, ...(turn && { turn }), ...((module || sandbox) && { module, sandbox }) };
    const prepared = await tool.prepare?.(args, caller);
    if (prepared) checkPrepared(tool, prepared);
    const credential = (): Credential | undefined => credentialFor(tool, module, pipeline);
    const call = createCall(request, {
      id: record.id,
      tool,
      module,
      sandbox,
      args,
      prepared,
      signal,
      log,
      redactor,
      elsewhere: pipeline.elsewhere,
      changes: pipeline.changes,
      credential,
      used: (usage) => (record.usage = record.usage ? addUsage(record.usage, usage) : usage),
      waited: (ms) => (record.waitedMs = (record.waitedMs ?? 0) + ms),
      recordOrigins: (origins) => (record.read = [...record.read, ...origins]),
    });

    stage = 'authorize';
    const verdict = await hooks.preTool(call);
    if (verdict && 'deny' in verdict) {
      record.decision = { verdict: 'refused', by: `hook of ${verdict.by}` };
      throw new PegboardError('PEG_DENIED', verdict.deny);
    }

    stage = 'confirm';
    const { refusal, ...decision } = await confirm(call, verdict, {
      policy: call.confirm ?? pipeline.confirmPolicy(),
      rule: pipeline.provenanceRule?.() ?? 'strict',
      ask: call.askHere,
      approvals: pipeline.approvals,
      allowances: pipeline.allowances,
      shown,
      elsewhere: pipeline.elsewhere,
      redact: (text) => redactor.text(text),
      log,
    });
    record.decision = decision;
    if (refusal) throw refusal;

    stage = 'execute';
    const slot = pipeline.slots.take(tool, request.parent, signal);
    using _slot = slot instanceof Promise ? await slot : slot;
    using deadline = openDeadline(timeoutMsOf(tool, prepared), signal);
    if (mayHaveEffect(tool)) await beginEffect(call, pipeline);
    const execute = (): Promise<ToolOutput> =>
      untilStopped(tool.execute(args, call.withDeadline(deadline)), deadline.signal, stopGraceMs);
    const output = await (tool.pausesTurnTimeout ? whilePaused(call.turn, execute) : execute());
    // Origins are read before the output is copied, so that a hook's edit can't drop them.
    if (typeof output === 'object') record.read = [...record.read, ...originsOf(output)];

    stage = 'finish';
    const result = isFinished(output, pipeline)
      ? output
      : await limitOutput(
          forReader(redactor.result(toResult(output)), call),
          request.outputLimit ?? pipeline.outputLimit(request.takesLongTexts === true),
          pipeline.artifacts,
        );
    const edited = await hooks.postTool(call, result);
    return edited === result ? result : redactor.result(withoutStale(edited, result, tool));
  } catch (cause) {
    const failure = toFailure(stage, explainAbort(cause, signal, request.name));
    record.decision ??= refusalBehind(failure);
    return redactor.result(failedResult(failure));
  }
}

/** A hook that replaced only the texts has left a structure that still says what they said. */
function withoutStale(edited: ToolResult, before: ToolResult, tool: RegisteredTool): ToolResult {
  const isStale = edited.content !== before.content && edited.structured === before.structured;
  if (!isStale || !hasWholeTexts(tool)) return edited;
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
  if (hasWholeTexts(tool)) return limitStructure(result, maxStructureLength);
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

async function beginEffect(call: ToolCall, { changes }: Pipeline): Promise<void> {
  await call.beforeEffect?.();
  if (call.turn && !call.tool.recordsChanges && !isMeta(call.tool)) await changes?.note(call);
}

/** Whether it must not be repeated by itself. `readOnlyHint` of an MCP server isn't trusted for that. */
const mayHaveEffect = ({ source, annotations, name }: RegisteredTool): boolean =>
  source.kind === 'mcp' ||
  (annotations?.readOnlyHint !== true && !(source.kind === 'builtin' && runners.has(name)));
