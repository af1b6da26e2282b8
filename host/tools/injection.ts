import type { Agent, InjectionMode } from '../api/agent.ts';
import type { Injection } from '../api/injection.ts';
import type { WireTool } from '../api/model.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { budgetFor, chooseMode } from './budget.ts';
import { toCompact } from './compact.ts';
import { isDirect, maySpawn } from './direct-sets.ts';
import { injectionPrompt } from './injection-prompt.ts';
import { tokensOf, toWire } from './wire.ts';

export interface InjectionRequest {
  readonly agent: Pick<Agent, 'id' | 'role' | 'runtime' | 'modules'>;
  /** Everything that the agent may use, without meta-tools: what is counted. */
  readonly tools: readonly RegisteredTool[];
  readonly meta: readonly RegisteredTool[];
  /** Tokens. */
  readonly contextWindow: number;
  /** How many tools one request may have; undefined: any number. */
  readonly maxTools?: number | undefined;
  /** Before the agent's own wish; absent: that, or what the budget admits. */
  readonly mode?: InjectionMode | undefined;
  /** Is the tool's pack one that the message is about? Absent: all are. */
  readonly isRelevant?: ((tool: RegisteredTool) => boolean) | undefined;
  /** Ids that the last turns used, in the order of their first use: they stay in sight, in full. */
  readonly kept?: readonly string[] | undefined;
}

/** These lead to tools that aren't in sight; where the budget lets all be, they would only cost. */
const leading = new Set(['search_tools', 'get_tool', 'execute_tool', 'list_categories', 'browse_category']);

/**
 * What a model is shown of its tools, by Digitorn's algorithm. Pure: the same request gives the same bytes. Meta-tools
 * come first, for they never change, and what the last turns used comes last, so that a provider's prompt cache holds.
 */
export function planInjection(request: InjectionRequest): Injection {
  const { agent, tools, contextWindow } = request;
  const budget = budgetFor(
    contextWindow,
    tools.length,
    tools.reduce((sum, tool) => sum + tokensOf(toWire(tool)), 0),
  );
  const forced = request.mode ?? agent.runtime.toolInjection;
  const decision = forced ? { mode: forced, reason: `${forced} is forced` } : chooseMode(budget);
  const plan = { ...budget, ...decision, ...showIn(decision.mode, request) };
  const { maxTools = Infinity } = request;
  if (plan.tools.length <= maxTools) return plan;
  // Tools that aren't in sight are found there; the last were used lately, and can be called all the same.
  const { tools: found, prompt } = showIn('discovery', request);
  const reason = `${decision.reason}, but ${plan.tools.length} tools are more than the ${maxTools} that the model's server takes`;
  return { ...budget, mode: 'discovery', reason, tools: found.slice(0, maxTools), prompt };
}

function showIn(mode: InjectionMode, request: InjectionRequest): Pick<Injection, 'tools' | 'prompt'> {
  const { agent, tools } = request;
  const { shown, kept } = selectShown(request, mode);
  const inSight = new Set([...shown, ...kept]);
  const meta = request.meta.filter(({ name }) => {
    if (name === 'agent') return maySpawn(agent);
    if (!leading.has(name) || mode === 'discovery' || inSight.size < tools.length) return true;
    return mode === 'compact_direct' && name === 'get_tool';
  });
  const write = mode === 'compact_direct' ? toCompact : toWire;
  const wires: readonly WireTool[] = [...meta.map(toWire), ...shown.map(write), ...kept.map(toWire)];
  return { tools: wires, prompt: injectionPrompt(agent, mode, tools, meta, request.contextWindow) };
}

interface Shown {
  readonly shown: readonly RegisteredTool[];
  /** Always in full, after the others. */
  readonly kept: readonly RegisteredTool[];
}

function selectShown({ agent, tools, isRelevant, kept = [] }: InjectionRequest, mode: InjectionMode): Shown {
  const usedLately = new Set(kept);
  const byId = new Map(tools.filter(({ id }) => usedLately.has(id)).map((tool) => [tool.id, tool]));
  const inOrder = [...usedLately].flatMap((id) => byId.get(id) ?? []);
  if (mode === 'discovery') {
    const shown = tools.filter((tool) => isDirect(tool, agent));
    return { shown, kept: inOrder.filter((tool) => !shown.includes(tool)) };
  }
  const shown = isRelevant ? tools.filter(isRelevant) : tools;
  // In full already, unless its pack was left out.
  if (mode === 'direct') return { shown, kept: inOrder.filter((tool) => !shown.includes(tool)) };
  return { shown: shown.filter(({ id }) => !usedLately.has(id)), kept: inOrder };
}
