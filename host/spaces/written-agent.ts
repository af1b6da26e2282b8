import type { Agent, ModuleBlock } from '../api/agent.ts';
import { toSandboxRule } from '../core/sandbox/rule.ts';
import { toRules } from '../dispatch/permissions/written-rules.ts';
import type { WrittenAgent } from '../formats/agent.ts';
import type { WrittenModule } from '../formats/agent-module.ts';

type WrittenBrain = NonNullable<WrittenAgent['brain']>;
type WrittenRuntime = NonNullable<WrittenAgent['runtime']>;
type WrittenModules = NonNullable<NonNullable<WrittenAgent['tools']>['modules']>;

/** The location of an agent, and what it inherits from its space. */
export interface AgentPlace {
  /** In the host: "example", "example/reviewer". */
  readonly id: string;
  readonly space: string;
  readonly folder: string;
  /** Its file, which need not exist. */
  readonly file: string;
  /** Of its space's manifest. */
  readonly blockedTools: readonly string[];
  /** The user's own folder. */
  readonly userHome: string;
}

/** The agent that a file describes, with defaults filled in. */
export function toAgent(written: WrittenAgent, place: AgentPlace): Agent {
  const { id, space, folder, userHome } = place;
  const { name = id, role = 'assistant', hooks = {}, blockedTools = [] } = written;
  const modules = written.tools?.modules;
  return {
    id,
    space,
    folder,
    name,
    description: written.description ?? `Works with the tools of the space ${space}`,
    isDefault: written.default ?? false,
    role,
    brain: toBrain(written.brain ?? {}),
    runtime: toRuntime(written.runtime ?? {}),
    modules: modules ? toModules(modules) : undefined,
    blockedTools: [...place.blockedTools, ...blockedTools, ...forbidden(written.runtime ?? {})],
    allowUntrusted: written.allow_untrusted ?? [],
    permissions:
      written.permissions && toRules(written.permissions, { folder, userHome, fileOf: () => place.file }),
    sandbox: toSandboxRule(written.sandbox, folder, userHome),
    systemPrompt: written.system_prompt,
    hooks,
  };
}

/** What `watchers: false`, `scheduler: false` and `scripts: off` take away, under every name. */
const forbidden = ({ watchers, scheduler, scripts }: WrittenRuntime): readonly string[] => [
  ...(watchers === false ? ['watchers.*'] : []),
  ...(scheduler === false ? ['scheduler.*', 'core.schedule_*'] : []),
  ...(scripts === 'off' ? ['meta.run_script', 'meta.run_read_only_script'] : []),
];

function toBrain(written: WrittenBrain): Agent['brain'] {
  const { model, context_window, temperature, max_tokens } = written;
  return {
    ...(model !== undefined && { model }),
    backend: written.backend ?? 'openai_compat',
    nativeToolUse: written.native_tool_use ?? 'auto',
    ...(context_window !== undefined && { contextWindow: context_window }),
    fallback: written.fallback ?? [],
    ...(temperature !== undefined && { temperature }),
    ...(max_tokens !== undefined && { maxTokens: max_tokens }),
  };
}

function toRuntime(written: WrittenRuntime): Agent['runtime'] {
  const { tool_injection, preset, spend_per_day } = written;
  return {
    ...(tool_injection !== undefined && { toolInjection: tool_injection }),
    ...(preset !== undefined && { preset }),
    directModules: written.direct_modules ?? [],
    watchers: written.watchers ?? false,
    scheduler: written.scheduler ?? false,
    maxRounds: written.max_rounds ?? 40,
    deadline: written.deadline ?? 600,
    ...(spend_per_day !== undefined && { spendPerDay: spend_per_day }),
  };
}

function toModules(written: WrittenModules): ReadonlyMap<string, ModuleBlock> {
  return new Map(Object.entries(written).map(([module, block]) => [module, toBlock(block ?? {})]));
}

function toBlock({ config, setup, constraints, middleware, credential }: WrittenModule): ModuleBlock {
  return {
    config: config ?? {},
    setup: (setup ?? []).map(({ action, params = {} }) => ({ action, params })),
    constraints: constraints ?? {},
    middleware: Object.entries(middleware ?? {}).map(([use, settings]) => ({ use, with: settings ?? {} })),
    credential,
  };
}
