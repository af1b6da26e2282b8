import type { TurnContext } from '../api/conversation.ts';
import type { CallRequest } from '../api/dispatch.ts';
import type { Stage } from '../api/result.ts';
import type { Credential, RegisteredTool } from '../api/tool.ts';
import type { Workplace } from '../api/known-folders.ts';
import { addUsage } from '../core/add-usage.ts';
import { PegboardError } from '../core/errors.ts';
import { folderWriteKey } from '../core/files/write-boundary.ts';
import { secretArguments } from '../core/secrets/secret-arguments.ts';
import { moduleFor } from '../tools/limits.ts';
import { shownArguments } from '../tools/shown-arguments.ts';
import { keyBeforeUntrusted, type ConversationAllowances } from './allowances.ts';
import { checkArguments, checkNumbers, checkSize } from './arguments.ts';
import { createCall, type PreparedCall } from './call.ts';
import type { CallRecord } from './call-record.ts';
import { checkPrepared } from './check-prepared.ts';
import { credentialFor } from './credential.ts';
import type { HookTable } from './hook-table.ts';
import { deniedFiles } from './permissions/denied-files.ts';
import { permissionsFor } from './permissions/permissions-for.ts';
import type { DispatchOptions } from './pipeline.ts';

export interface PrepareOptions {
  readonly options: DispatchOptions;
  /** Absent: no hook rewrites the arguments. */
  readonly hooks: HookTable | undefined;
  readonly signal: AbortSignal;
  /** What was allowed in conversations. Absent: nothing. */
  readonly allowances?: ConversationAllowances;
  /** Called when a stage begins. */
  readonly enter: (stage: Stage) => void;
}

/** The stages validate and prepare. Returns the call, and its arguments without secrets. */
export async function prepareCall(
  record: CallRecord,
  tool: RegisteredTool,
  { options, hooks, signal, allowances, enter }: PrepareOptions,
): Promise<{ readonly call: PreparedCall; readonly shown: unknown }> {
  const { request } = record;
  const { registry, redactor, log, clock, elsewhere } = options;
  enter('validate');
  if (request.args instanceof PegboardError) throw request.args;
  checkSize(tool, request.args);
  checkNumbers(tool, request.args);
  const rewritten = hooks ? await hooks.preValidate(tool, request.scope, request.args) : request.args;
  const args = await checkArguments(tool, rewritten, log);
  const shown = shownArguments(tool, args, (other) => registry.snapshot.find(other));
  record.args = shown;
  for (const [name, value] of secretArguments(tool.parameters, args)) redactor.add(name, value);

  enter('prepare');
  const module = moduleFor(request.scope, tool.source.module);
  const turn = request.turn ?? request.parent?.turn;
  const workplace = workplaceOf(request, turn, allowances);
  const confined = options.sandbox?.(tool, request.scope, workplace);
  const sandbox = confined instanceof Promise ? await confined : confined;
  let denied: ReturnType<typeof deniedFiles> | undefined;
  const isDenied = (path: string): boolean => {
    denied ??= deniedFiles(
      tool,
      registry.snapshot,
      permissionsFor(request.scope, options.permissions?.current()),
    );
    return denied(path);
  };
  const caller = {
    ...request,
    isDenied,
    ...(turn && { turn }),
    ...(workplace && { workplace }),
    ...((module || sandbox) && { module, sandbox }),
  };
  const prepared = await tool.prepare?.(args, caller);
  if (prepared) checkPrepared(tool, prepared);
  const credential = (): Credential | undefined => credentialFor(tool, module, options);
  const call = createCall(request, {
    id: record.id,
    tool,
    module,
    workplace,
    sandbox,
    args,
    prepared,
    signal,
    log,
    clock,
    redactor,
    elsewhere,
    changes: options.changes,
    isDenied,
    credential,
    used: (usage) => (record.usage = record.usage ? addUsage(record.usage, usage) : usage),
    waited: (ms) => (record.waitedMs = (record.waitedMs ?? 0) + ms),
    recordOrigins: (origins) => (record.read = [...record.read, ...origins]),
  });
  return { call, shown };
}

/** With the user's answer whether the project may be written to in this conversation. */
function workplaceOf(
  { workplace, parent, conversation = parent?.conversation }: CallRequest,
  turn: TurnContext | undefined,
  allowances: ConversationAllowances | undefined,
): Workplace | undefined {
  const known = workplace ?? parent?.workplace ?? turn?.message.workplace;
  if (!known?.project) return known;
  const isAllowed = allowances?.isCovered({ turn, conversation }, [
    keyBeforeUntrusted(folderWriteKey(known.project.root)),
  ]);
  return { ...known, project: { ...known.project, write: isAllowed ? 'free' : 'ask' } };
}
