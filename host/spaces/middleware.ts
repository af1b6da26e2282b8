import type { Agent, ModuleBlock } from '../api/agent.ts';
import type { HookSet, Verdict } from '../api/hooks.ts';
import type { JsonObject } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { matchesGlob } from '../core/text/glob.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { agentsOf } from '../tools/limits.ts';

/** Middleware of a module, by the names of agent.schema.json, which also validates the settings. */
const kinds: { readonly [name: string]: (settings: JsonObject) => HookSet } = {
  rate_limit: (settings) => ({ preTool: rateLimit(settings as { readonly per_minute: number }) }),
  confirm: (settings) => ({ preTool: confirm(settings) }),
  log: () => ({ preTool: log }),
};

/** The middleware of an agent's modules, outermost first, as hooks that judge that agent's own calls and no setup steps. */
export function middlewareOf(agent: Agent): readonly HookOwner[] {
  return [...(agent.modules ?? [])].flatMap(([module, { middleware }]) =>
    middleware.map((one): HookOwner => toOwner(agent, module, one)),
  );
}

function toOwner(agent: Agent, module: string, one: ModuleBlock['middleware'][number]): HookOwner {
  return {
    name: `agent ${agent.id} (${one.use} of ${module})`,
    hooks: kinds[one.use]!(one.with),
    appliesTo: (tool, scope) =>
      scope.identity === 'agent' && agentsOf(scope).includes(agent.id) && tool.source.module === module,
  };
}

/** Milliseconds. */
const minute = 60_000;

function rateLimit({ per_minute }: { readonly per_minute: number }): (call: ToolCall) => Verdict | void {
  let recent: number[] = [];
  return ({ tool }) => {
    const now = performance.now();
    recent = recent.filter((at) => now - at < minute);
    if (recent.length < per_minute) {
      recent.push(now);
      return;
    }
    const wait = Math.ceil((minute - (now - recent[0]!)) / 1000);
    const calls = per_minute === 1 ? '1 call' : `${per_minute} calls`;
    return {
      deny: `${tool.source.module} takes ${calls} a minute from this agent. The next one is possible in ${wait} s.`,
    };
  };
}

function confirm({
  actions,
}: {
  readonly actions?: readonly string[];
}): (call: ToolCall) => Verdict | undefined {
  return ({ tool, scope }) =>
    actions === undefined || actions.some((pattern) => matchesGlob(pattern, tool.name))
      ? { confirm: `The agent ${scope.agent} wants to run ${tool.id}.` }
      : undefined;
}

function log({ log, tool, scope, caller, args }: ToolCall): void {
  log.info('an agent calls', { agent: scope.agent, tool: tool.id, caller, args });
}
