import type { Artifacts } from '../api/artifacts.ts';
import type { FileOrigins } from '../api/file-origins.ts';
import type { TurnContext } from '../api/conversation.ts';
import type { ConfirmPolicy, Dispatch, ProvenanceRule } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { MaybePromise, Stage, ToolOutput, ToolResult } from '../api/result.ts';
import type { Sandbox } from '../api/sandbox.ts';
import type { Registry, Scope } from '../api/source.ts';
import type { Credential, RegisteredTool, ToolCall } from '../api/tool.ts';
import { isTimeout, openDeadline, untilStopped } from '../core/async/deadline.ts';
import { PegboardError, toFailure } from '../core/errors.ts';
import { addUsage } from '../core/add-usage.ts';
import type { ConcurrencyLimitOptions } from '../core/async/concurrency-limit.ts';
import { originsOf } from '../core/foreign/untrusted.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { secretArguments } from '../core/secrets/secret-arguments.ts';
import { callTraces } from '../core/traces.ts';
import type { Audit } from '../store/audit.ts';
import { limitOutput } from '../tools/output-limit.ts';
import { withStructuredText } from '../tools/structured-text.ts';
import { failedResult, toResult } from '../tools/result.ts';
import { shownArguments } from '../tools/shown-arguments.ts';
import { acquire } from './acquire.ts';
import { createConversationAllowances } from './allowances.ts';
import type { RemoteAnswers } from './ask-everywhere.ts';
import { checkArguments, checkNumbers } from './arguments.ts';
import { createCall, nextCallId } from './call.ts';
import { refusalBehind, toAuditLine, type CallRecord } from './call-record.ts';
import { confirm, type Approvals } from './confirm.ts';
import { credentialFor } from './credential.ts';
import type { HookTable } from './hook-table.ts';
import { checkDepth, createCallSlots } from './call-slots.ts';
import { noteOrigins } from './provenance.ts';
import { mayHaveEffect } from './effect.ts';

export interface DispatchOptions {
  readonly registry: Registry;
  /** Read once per call: a reload takes effect between calls, never inside one. */
  readonly hooks: () => HookTable;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  /** Absent: no file of the home is known to hold what others wrote. */
  readonly fileOrigins?: FileOrigins;
  readonly redactor: Redactor;
  readonly confirmPolicy: () => ConfirmPolicy;
  /** Default: strict. */
  readonly provenanceRule?: () => ProvenanceRule;
  /** Characters of a text block that a caller gets to see, or one that takes long texts. */
  readonly outputLimit: (takesLongTexts: boolean) => number;
  /** The value of a variable or secret that an agent's file names. Absent: there are none. */
  readonly resolve?: (name: string) => string | undefined;
  /** What the programs that a call starts are confined to. Absent: nothing. */
  readonly sandbox?: (tool: RegisteredTool, scope: Scope) => MaybePromise<Sandbox | undefined>;
  readonly log: Logger;
  /** Who can answer confirmations elsewhere; absent: nobody. */
  readonly elsewhere?: RemoteAnswers;
  /** How many calls run at once, and how the others wait. Default: `defaultCallLimit`. */
  readonly places?: Omit<ConcurrencyLimitOptions, 'what'>;
  /** Keeps a line of every call; absent: nobody does. */
  readonly audit?: Pick<Audit, 'record'>;
}

/** Seconds. */
const defaultTimeoutSeconds = 60;
/** Milliseconds: a process tree gets 2 s between SIGTERM and SIGKILL. */
const stopGraceMs = 3_000;
const never = new AbortController().signal;

/** One tool call, start to finish: every entry runs tools through this. Never rejects; a failure names its stage. */
export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, approvals, artifacts, redactor } = options;
  const places = createCallSlots(options.places);
  const allowances = createConversationAllowances();

  /** A tool that hands on another call's result hands on what is redacted and cut already. */
  const finished = new WeakSet<ToolResult>();
  const isFinished = (output: ToolOutput): output is ToolResult =>
    typeof output === 'object' && finished.has(output as ToolResult);

  const run = async (trail: CallRecord): Promise<ToolResult> => {
    const { request } = trail;
    let stage: Stage = 'resolve';
    const signal = request.signal ?? never;
    try {
      const hooks = options.hooks();
      signal.throwIfAborted();
      if (request.parent) checkDepth(request.name, request.parent);
      using lease = acquire(registry, request);
      const { tool } = lease;
      trail.tool = tool;

      stage = 'validate';
      if (request.args instanceof PegboardError) throw request.args;
      checkNumbers(tool, request.args);
      const rewritten = await hooks.preValidate(tool, request.scope, request.args);
      const args = await checkArguments(tool, rewritten, options.log);
      const shown = shownArguments(tool, args, (other) => registry.snapshot.find(other));
      trail.args = shown;
      for (const [name, value] of secretArguments(tool.parameters, args)) redactor.add(name, value);

      stage = 'prepare';
      const module = request.scope.modules?.get(tool.source.module);
      const confined = options.sandbox?.(tool, request.scope);
      const sandbox = confined instanceof Promise ? await confined : confined;
      const turn = request.turn ?? request.parent?.turn;
      const caller = { ...request, ...(turn && { turn }), ...((module || sandbox) && { module, sandbox }) };
      const prepared = await tool.prepare?.(args, caller);
      const credential = (): Credential | undefined => credentialFor(tool, module, options);
      const call = createCall(request, {
        id: trail.id,
        tool,
        module,
        sandbox,
        args,
        prepared,
        signal,
        log: options.log,
        redactor,
        credential,
        used: (usage) => (trail.usage = trail.usage ? addUsage(trail.usage, usage) : usage),
        read: (origins) => (trail.read = [...trail.read, ...origins]),
      });

      stage = 'authorize';
      const verdict = await hooks.preTool(call);
      if (verdict && 'deny' in verdict) {
        trail.decision = { verdict: 'refused', by: `hook of ${verdict.by}` };
        throw new PegboardError('PEG_DENIED', verdict.deny);
      }

      stage = 'confirm';
      const { refusal, ...decision } = await confirm(call, verdict, {
        policy: call.confirm ?? options.confirmPolicy(),
        rule: options.provenanceRule?.() ?? 'strict',
        ask: request.ask && call.ask,
        approvals,
        allowances,
        shown,
        elsewhere: options.elsewhere,
        redact: (text) => redactor.text(text),
        log: options.log,
      });
      trail.decision = decision;
      if (refusal) throw refusal;

      stage = 'execute';
      const place = places.take(tool, request.parent, signal);
      using _held = place instanceof Promise ? await place : place;
      using deadline = openDeadline(
        (prepared?.timeout ?? tool.timeout ?? defaultTimeoutSeconds) * 1000,
        signal,
      );
      if (call.beforeEffect && mayHaveEffect(tool)) await call.beforeEffect();
      const execute = (): Promise<ToolOutput> =>
        untilStopped(tool.execute(args, call.during(deadline)), deadline.signal, stopGraceMs);
      const output = await (tool.pausesTurnTimeout ? whilePaused(call.turn, execute) : execute());
      // Before anything makes another object of it: a hook's edit takes no mark off.
      if (typeof output === 'object') trail.read = [...trail.read, ...originsOf(output)];

      stage = 'finish';
      const result = isFinished(output)
        ? output
        : await limitOutput(
            forReader(redactor.result(toResult(output)), call),
            options.outputLimit(request.takesLongTexts === true),
            artifacts,
          );
      const edited = await hooks.postTool(call, result);
      return edited === result ? result : redactor.result(edited);
    } catch (cause) {
      const failure = toFailure(stage, explainAbort(cause, signal, request.name));
      trail.decision ??= refusalBehind(failure);
      return redactor.result(failedResult(failure));
    }
  };
  const runTraced = async (trail: CallRecord): Promise<ToolResult> => {
    const started = performance.now();
    const returned = await run(trail);
    const result = noteOrigins(trail, returned, options.fileOrigins);
    finished.add(result);
    trail.ms = performance.now() - started;
    options.audit?.record(toAuditLine(trail, result, trail.ms));
    return result;
  };
  return (request) => {
    const trail: CallRecord = { id: nextCallId(), request, read: [] };
    return callTraces.tracePromise(runTraced, trail, undefined, trail);
  };
}

/** Off the clock of the turn, and of those that wait for it. */
function whilePaused<T>(turn: TurnContext | undefined, work: () => Promise<T>): Promise<T> {
  if (!turn) return work();
  const paused = turn.pausedFor ? () => turn.pausedFor!(work) : work;
  return whilePaused(turn.message.parent?.turn, paused);
}

/** Our own tools write for a model what it needs; of any other's result it gets the structured content too. */
const forReader = (result: ToolResult, { tool, turn }: ToolCall): ToolResult =>
  turn && tool.source.kind !== 'builtin' ? withStructuredText(result) : result;

/** A time-out or a cancellation, whoever noticed it, is told as what it is. */
function explainAbort(cause: unknown, signal: AbortSignal, name: string): unknown {
  if (cause instanceof PegboardError) return cause;
  if (isTimeout(cause))
    return new PegboardError('PEG_TIMEOUT', `${name} ${(cause as Error).message} and was stopped.`);
  if (signal.aborted) return new PegboardError('PEG_CANCELLED', `${name} was cancelled.`);
  return cause;
}
