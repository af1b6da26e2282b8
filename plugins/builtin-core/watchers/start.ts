import { PegboardError, toJson, type Dispatch, type Registry, type Scope, type ToolCall } from 'pegboard';
import { lookUp, shownArguments } from 'pegboard/channels';
import { originOf, storedOrigins } from '../background/origin.ts';
import { parsePath } from './json-path.ts';
import { look } from './look.ts';
import { rightsOf } from './rights.ts';
import type { Action, Target, Watcher } from './tables.ts';
import type { Watching } from './watching.ts';

export interface WatchRequest {
  readonly files?: string;
  readonly tool?: string;
  readonly args?: object;
  readonly url?: string;
  readonly json_path?: string;
  readonly interval?: number;
  readonly act_on?: 'change' | 'interval';
  readonly instruction?: string;
  readonly run_tool?: string;
  readonly run_args?: object;
  readonly message?: string;
}

/** Maximum number of watchers that are not stopped. */
const maxWatchers = 100;
/** Seconds. */
const defaultIntervalSeconds = 60;

/**
 * Creates a watcher that starts from the current state. Observes the target once, so that one that can't be watched is
 * reported at once. Throws PEG_INVALID_ARGUMENTS, PEG_LIMIT, or the error of observing.
 */
export async function startWatching(
  request: WatchRequest,
  call: ToolCall,
  watching: Watching,
): Promise<Watcher> {
  const { context, files, clock } = watching;
  const { registry, dispatch } = context;
  // It will act outside of any channel.
  const { channel: _, ...own } = call.scope;
  const target = targetOf(request, registry, own);
  const action = actionOf(request, registry, own);
  const store = await watching.store();
  if ((await store.list('not stopped')).length >= maxWatchers)
    throw new PegboardError('PEG_LIMIT', `There are ${maxWatchers} watchers already. Stop some first.`);
  if (target.kind === 'files') await checkMayList(target.pattern, call, dispatch);
  const { scope, caller, signal } = call;
  const observed = await look(target, {
    roots: files.roots,
    origins: files.origins,
    dispatch,
    scope,
    caller,
    signal,
  });
  const { creator, chat, untrusted } = originOf(call);
  const now = clock.now();
  const seconds = request.interval ?? defaultIntervalSeconds;
  return await store.add({
    target: toJson(target),
    interval_s: seconds,
    acts_on: request.act_on ?? 'change',
    action: toJson(action),
    rights: toJson(rightsOf(scope)),
    creator,
    channel: chat?.channel ?? null,
    chat: chat?.chat ?? null,
    untrusted: storedOrigins(untrusted),
    state: 'active',
    seen: observed.seen,
    checked_at: new Date(now).toISOString(),
    next_at: new Date(now + seconds * 1_000).toISOString(),
    failures: 0,
    last_error: null,
    created_at: new Date(now).toISOString(),
  });
}

function targetOf(request: WatchRequest, registry: Registry, scope: Scope): Target {
  const { files, tool, args = {}, url, json_path: path } = request;
  if ([files, tool, url].filter((one) => one !== undefined).length !== 1)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', 'Watch one thing: give files, tool or url.');
  if (files !== undefined) return { kind: 'files', pattern: files };
  if (path !== undefined) parsePath(path);
  const part = path !== undefined && { path };
  if (tool !== undefined) return { kind: 'tool', ...callOf(tool, args, registry, scope), ...part };
  const reader = registry.snapshot.find('web_read');
  if (reader) return { kind: 'tool', tool: reader.id, args: { url }, ...part };
  throw new PegboardError(
    'PEG_TOOL_FAILED',
    'No tool here reads web pages (web_read). Watch a tool that gets the page instead: tool and args.',
  );
}

function actionOf(request: WatchRequest, registry: Registry, scope: Scope): Action {
  const { instruction, run_tool: tool, run_args: args = {}, message } = request;
  const given = [instruction, tool, message].filter((one) => one !== undefined).length;
  if (given > 1)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', 'Do one thing: give instruction, run_tool or message.');
  if (instruction !== undefined) return { kind: 'instruction', text: instruction };
  if (tool !== undefined) return { kind: 'tool', ...callOf(tool, args, registry, scope) };
  return { kind: 'message', text: message ?? 'Something has changed.' };
}

/** Throws PEG_TOOL_NOT_FOUND and PEG_TOOL_UNAVAILABLE too. */
function callOf(
  name: string,
  args: object,
  { snapshot }: Registry,
  scope: Scope,
): { readonly tool: string; readonly args: object } {
  const tool = lookUp(snapshot, name, scope);
  if (shownArguments(tool, args, (other) => snapshot.find(other)) === args) return { tool: tool.id, args };
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `A watcher would have to keep the secret that ${tool.id} takes. Watch or run a tool that takes none.`,
  );
}

/** Throws PEG_DENIED when the caller may not list the files. */
async function checkMayList(pattern: string, call: ToolCall, dispatch: Dispatch): Promise<void> {
  const { scope, caller, signal } = call;
  const { error } = await dispatch({ name: 'filesystem.glob', args: { pattern }, scope, caller, signal });
  // The folder may not exist yet.
  if (error && error.stage !== 'execute') throw new PegboardError('PEG_DENIED', error.message);
}
