import type { Agent, AgentHooks, InjectionMode, ModuleBlock, ModuleConstraints } from '../api/agent.ts';
import type { JsonObject } from '../api/result.ts';
import { toSandboxRule, type WrittenSandbox } from '../core/sandbox/rule.ts';

/** agent.yaml as it is written, once it fits its schema. */
export interface WrittenAgent {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string;
  readonly role?: Agent['role'];
  readonly brain?: WrittenBrain | null;
  readonly runtime?: WrittenRuntime | null;
  readonly tools?: { readonly modules?: WrittenModules | null } | null;
  readonly blockedTools?: readonly string[];
  readonly allow_untrusted?: readonly string[];
  readonly sandbox?: WrittenSandbox;
  readonly system_prompt?: string;
  readonly hooks?: AgentHooks;
}

type WrittenModules = { readonly [module: string]: WrittenBlock | null };

export interface WrittenBlock {
  readonly config?: JsonObject;
  readonly setup?: readonly { readonly action: string; readonly params?: JsonObject }[];
  readonly constraints?: ModuleConstraints;
  readonly middleware?: { readonly [name: string]: JsonObject | null };
  readonly credential?: string;
}

interface WrittenBrain {
  readonly model?: string;
  readonly backend?: Agent['brain']['backend'];
  readonly native_tool_use?: boolean | 'auto';
  readonly context_window?: number;
  readonly fallback?: readonly string[];
  readonly temperature?: number;
  readonly max_tokens?: number;
}

interface WrittenRuntime {
  readonly tool_injection?: InjectionMode;
  readonly direct_modules?: readonly string[];
  readonly watchers?: boolean;
  readonly scheduler?: boolean;
  readonly max_rounds?: number;
  readonly deadline?: number;
  readonly spend_per_day?: number;
}

/** Where an agent stands, and what it inherits. */
export interface AgentPlace {
  /** In the host: "example", "example/reviewer". */
  readonly id: string;
  readonly space: string;
  readonly folder: string;
  /** Of its space's manifest. */
  readonly blockedTools: readonly string[];
}

/** The agent that a file describes, with defaults filled in. */
export function toAgent(written: WrittenAgent, place: AgentPlace): Agent {
  const { id, space, folder } = place;
  const { name = id, role = 'assistant', hooks = {}, blockedTools = [] } = written;
  const modules = written.tools?.modules;
  return {
    id,
    space,
    folder,
    name,
    description: written.description ?? `Works with the tools of the space ${space}`,
    role,
    brain: toBrain(written.brain ?? {}),
    runtime: toRuntime(written.runtime ?? {}),
    modules: modules ? toModules(modules) : undefined,
    blockedTools: [...place.blockedTools, ...blockedTools, ...forbidden(written.runtime ?? {})],
    allowUntrusted: written.allow_untrusted ?? [],
    sandbox: toSandboxRule(written.sandbox, folder),
    systemPrompt: written.system_prompt,
    hooks,
  };
}

/** What `watchers: false` and `scheduler: false` take away, under every name. */
const forbidden = ({ watchers, scheduler }: WrittenRuntime): readonly string[] => [
  ...(watchers === false ? ['watchers.*'] : []),
  ...(scheduler === false ? ['scheduler.*', 'core.schedule_*'] : []),
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
  const { tool_injection, spend_per_day } = written;
  return {
    ...(tool_injection !== undefined && { toolInjection: tool_injection }),
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

function toBlock({ config, setup, constraints, middleware, credential }: WrittenBlock): ModuleBlock {
  return {
    config: config ?? {},
    setup: (setup ?? []).map(({ action, params = {} }) => ({ action, params })),
    constraints: constraints ?? {},
    middleware: Object.entries(middleware ?? {}).map(([use, settings]) => ({ use, with: settings ?? {} })),
    credential,
  };
}
