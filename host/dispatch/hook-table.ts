import type { Hook, HookName, Hooks, HookSet, Verdict } from '../api/hooks.ts';
import type { Logger } from '../api/log.ts';
import type { MaybePromise, ToolResult } from '../api/result.ts';
import type { Scope } from '../api/source.ts';
import type { Clock } from '../api/surroundings.ts';
import type { RegisteredTool, ToolCall } from '../api/tool.ts';
import { withinLimit } from '../core/async/deadline.ts';
import { isThenable } from '../core/async/is-thenable.ts';
import { PegboardError, messageOf } from '../core/errors.ts';
import { matchesTool } from '../core/text/glob.ts';

/** The hooks of one plugin or agent. `appliesTo` limits an agent's hooks to its own calls. */
export interface HookOwner {
  readonly name: string;
  readonly hooks: HookSet;
  appliesTo?(tool: RegisteredTool, scope: Scope): boolean;
}

interface Entry<K extends HookName = HookName> {
  readonly owner: HookOwner;
  readonly handler: Hooks[K];
  readonly tools: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly rank: number;
}

const ranks = { pre: 0, normal: 1, post: 2 } as const;
const defaultTimeoutSeconds = 10;

/** A verdict, and the owner of the hook that gave it. */
type HookVerdict = Verdict & { readonly by: string };

/** All hooks, sorted once and replaced as a whole. A hook that throws or times out denies the call. */
export interface HookTable {
  preValidate(tool: RegisteredTool, scope: Scope, args: unknown): unknown;
  /** The first refusal wins; otherwise the first request for confirmation. */
  preTool(call: ToolCall): Promise<HookVerdict | undefined> | undefined;
  postTool(call: ToolCall, result: ToolResult): Promise<ToolResult> | ToolResult;
}

export function createHookTable(owners: readonly HookOwner[], log: Logger, clock?: Clock): HookTable {
  const sorted = <K extends HookName>(name: K): readonly Entry<K>[] =>
    owners
      .flatMap((owner) =>
        toHooks(owner.hooks[name] as Hook<K> | readonly Hook<K>[] | undefined).map((hook) =>
          toEntry(owner, hook),
        ),
      )
      .sort((a, b) => a.rank - b.rank);
  const preValidate = sorted('preValidate');
  const preTool = sorted('preTool');
  const postTool = sorted('postTool');

  /** Synchronous results need no timeout. */
  const run = <T>(name: HookName, entry: Entry, work: () => MaybePromise<T>): MaybePromise<T> => {
    const failed = (cause: unknown): never => {
      log.error(`the ${name} hook of ${entry.owner.name} failed`, { cause });
      const message = `The ${name} hook of ${entry.owner.name} failed (${messageOf(cause)}), so the call was refused.`;
      throw new PegboardError('PEG_HOOK_FAILED', message, { cause, data: { hook: entry.owner.name } });
    };
    try {
      const returned = work();
      return isThenable(returned) ? withinLimit(returned, entry.timeoutMs, clock).catch(failed) : returned;
    } catch (cause) {
      return failed(cause);
    }
  };

  const rewrite = async (
    entries: readonly Entry<'preValidate'>[],
    tool: RegisteredTool,
    args: unknown,
  ): Promise<unknown> => {
    for (const entry of entries)
      args = (await run('preValidate', entry, () => entry.handler({ tool, args }))) ?? args;
    return args;
  };
  const judge = async (
    entries: readonly Entry<'preTool'>[],
    call: ToolCall,
  ): Promise<HookVerdict | undefined> => {
    let confirm: HookVerdict | undefined;
    for (const entry of entries) {
      const verdict = (await run('preTool', entry, () => entry.handler(call))) ?? undefined;
      const judged = verdict && { ...verdict, by: entry.owner.name };
      if (judged && 'deny' in judged) return judged;
      confirm ??= judged;
    }
    return confirm;
  };
  const edit = async (
    entries: readonly Entry<'postTool'>[],
    call: ToolCall,
    result: ToolResult,
  ): Promise<ToolResult> => {
    for (const entry of entries) {
      const edited = await run('postTool', entry, async () => {
        const returned = await entry.handler(call, result);
        return returned && returned !== result ? returned : undefined;
      });
      result = edited ?? result;
    }
    return result;
  };

  return {
    preValidate(tool, scope, args) {
      const entries = applying(preValidate, tool, scope);
      return entries.length === 0 ? args : rewrite(entries, tool, args);
    },
    preTool(call) {
      const entries = applying(preTool, call.tool, call.scope);
      return entries.length === 0 ? undefined : judge(entries, call);
    },
    postTool(call, result) {
      const entries = applying(postTool, call.tool, call.scope);
      return entries.length === 0 ? result : edit(entries, call, result);
    },
  };
}

function toHooks<K extends HookName>(hooks: Hook<K> | readonly Hook<K>[] | undefined): readonly Hook<K>[] {
  if (hooks === undefined) return [];
  return Array.isArray(hooks) ? (hooks as readonly Hook<K>[]) : [hooks as Hook<K>];
}

function toEntry<K extends HookName>(owner: HookOwner, hook: Hook<K>): Entry<K> {
  if (typeof hook === 'function') {
    return {
      owner,
      handler: hook,
      tools: undefined,
      timeoutMs: defaultTimeoutSeconds * 1000,
      rank: ranks.normal,
    };
  }
  return {
    owner,
    handler: hook.handler,
    tools: hook.tools === undefined ? undefined : [hook.tools].flat(),
    timeoutMs: (hook.timeout ?? defaultTimeoutSeconds) * 1000,
    rank: ranks[hook.order ?? 'normal'],
  };
}

function applying<K extends HookName>(
  entries: readonly Entry<K>[],
  tool: RegisteredTool,
  scope: Scope,
): readonly Entry<K>[] {
  if (entries.length === 0) return entries;
  return entries.filter(
    ({ owner, tools }) => (!tools || matchesTool(tools, tool)) && (owner.appliesTo?.(tool, scope) ?? true),
  );
}
