import type { Agent, InjectionMode } from '../../api/agent.ts';
import type { Injection } from '../../api/injection.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { withoutAliases } from '../aliases.ts';
import { fullPreset, isListed, type ToolPreset } from '../preset.ts';
import { budgetFor, chooseMode } from './budget.ts';
import type { VisibleTools } from '../visible-tools.ts';
import { isDirect, maySpawn } from './direct-sets.ts';
import { fitBudget, formsIn } from './fit-budget.ts';
import { injectionPrompt } from './injection-prompt.ts';
import { tokensIn, tokensOf, toWire } from './wire.ts';

export interface InjectionRequest {
  readonly agent: Pick<Agent, 'id' | 'role' | 'runtime' | 'modules'>;
  /** Everything that the agent may use, without meta-tools. Counted against the budget. */
  readonly tools: readonly RegisteredTool[];
  readonly meta: readonly RegisteredTool[];
  /** Tokens. */
  readonly contextWindow: number;
  /** Maximum number of tools in one request; undefined: any number. */
  readonly maxTools?: number | undefined;
  /** Tokens of the system prompt without its part about tools. */
  readonly promptTokens?: number | undefined;
  /** Overrides the agent's setting; absent: that setting, or what the budget allows. */
  readonly mode?: InjectionMode | undefined;
  /** Absent: every tool is listed. The agent's own setting comes first. */
  readonly preset?: ToolPreset | undefined;
  /** Whether the tool's pack is relevant to the message. Absent: all are. */
  readonly isRelevant?: ((tool: RegisteredTool) => boolean) | undefined;
  /** Ids that the last turns used, in order of first use: they stay visible, in full. */
  readonly kept?: readonly string[] | undefined;
}

/** These find tools that aren't listed; when all are listed, they would only cost tokens. */
const discoveryTools = new Set([
  'search_tools',
  'get_tool',
  'execute_tool',
  'list_categories',
  'browse_category',
]);

/** Enough to find and run the few that direct and compact leave out. */
const leadsToOthers = new Set(['search_tools', 'get_tool', 'execute_tool']);

/**
 * What a model is shown of its tools, by what fits its window. Pure: the same request gives the same bytes. Meta-tools
 * come first, because they never change, and recently used tools last, so that a provider's prompt cache stays valid.
 */
export function planInjection(request: InjectionRequest): Injection {
  const { agent, contextWindow } = request;
  const { tools, listed } = selectListed(agent, request.tools, request.preset);
  // Those that find the others take the place of the tools that the preset leaves out.
  const finders =
    listed.length < tools.length ? request.meta.filter(({ name }) => leadsToOthers.has(name)) : [];
  const counted = [...listed, ...finders];
  const budget = budgetFor(
    contextWindow,
    counted.length,
    counted.reduce((sum, tool) => sum + tokensOf(toWire(tool)), 0),
  );
  const forced = request.mode ?? agent.runtime.toolInjection;
  const decision = forced ? { mode: forced, reason: `${forced} is forced` } : chooseMode(budget);
  // A forced mode ignores the budget.
  const within = { ...request, tools, listed, budget: forced ? Infinity : budget.budget };
  const { fits, ...plan } = showIn(decision.mode, within);
  const { maxTools = Infinity } = request;
  if (fits && plan.tools.length <= maxTools) return { ...budget, ...decision, ...plan };
  // Discovery finds the tools that aren't listed. Those cut from the end were used recently, and can still be called.
  const { tools: found, prompt } = showIn('discovery', within);
  const problem = fits
    ? `${plan.tools.length} tools are more than the ${maxTools} that the model's server takes`
    : 'the names themselves are longer than that';
  const reason = `${decision.reason}, but ${problem}`;
  return { ...budget, mode: 'discovery', reason, tools: found.slice(0, maxTools), prompt };
}

/** The tools that the agent's model sees without searching, where it has room for them. */
export function shownTools(
  agent: InjectionRequest['agent'],
  { domain, meta }: VisibleTools,
  preset: ToolPreset,
): ReadonlySet<RegisteredTool> {
  const { tools, listed } = selectListed(agent, domain, preset);
  return new Set([...metaIn('direct', agent, meta, listed.length < tools.length), ...listed]);
}

/** `tools` without second names, and those of them that are listed. */
function selectListed(
  agent: InjectionRequest['agent'],
  all: readonly RegisteredTool[],
  preset: ToolPreset = fullPreset,
): { readonly tools: readonly RegisteredTool[]; readonly listed: readonly RegisteredTool[] } {
  const tools = withoutAliases(all, asksFor(agent));
  return { tools, listed: tools.filter(listedFor(agent, preset)) };
}

/** `hides`: tools of the agent are out of sight. */
function metaIn(
  mode: InjectionMode,
  agent: InjectionRequest['agent'],
  meta: readonly RegisteredTool[],
  hides: boolean,
): readonly RegisteredTool[] {
  return meta.filter(({ name }) => {
    if (name === 'agent') return maySpawn(agent);
    // For MCP clients, whose permissions depend on names. Agents are asked for each tool that needs it.
    if (name === 'run_read_only_script') return false;
    if (!discoveryTools.has(name) || mode === 'discovery') return true;
    if (hides) return leadsToOthers.has(name);
    return mode === 'compact_direct' && name === 'get_tool';
  });
}

/** Whether the agent's file asks for the tool's pack to stay in sight. */
const asksFor =
  ({ runtime }: Pick<Agent, 'runtime'>) =>
  ({ source: { module } }: RegisteredTool): boolean =>
    runtime.directModules.includes(module) ||
    (module === 'scheduler' && runtime.scheduler) ||
    (module === 'watchers' && runtime.watchers);

/** An agent's file that names a module wants its tools listed, whatever the preset. */
function listedFor(
  agent: Pick<Agent, 'runtime' | 'modules'>,
  preset: ToolPreset,
): (tool: RegisteredTool) => boolean {
  const own = { ...preset, ...(agent.runtime.preset && { name: agent.runtime.preset }) };
  return (tool) =>
    isListed(tool, own) || asksFor(agent)(tool) || agent.modules?.has(tool.source.module) === true;
}

interface WithinBudget extends InjectionRequest {
  /** Those of `tools` that direct and compact list. */
  readonly listed: readonly RegisteredTool[];
  /** Tokens. */
  readonly budget: number;
}

function showIn(
  mode: InjectionMode,
  request: WithinBudget,
): Pick<Injection, 'tools' | 'prompt'> & { readonly fits: boolean } {
  const { agent, tools } = request;
  const { shown, kept } = selectShown(request, mode);
  const inSight = new Set([...shown, ...kept]);
  const meta = metaIn(mode, agent, request.meta, inSight.size < tools.length);
  const sent = {
    leading: meta.filter(({ name }) => discoveryTools.has(name)),
    otherMeta: meta.filter(({ name }) => !discoveryTools.has(name)),
    shown,
    kept,
  };
  const prompt = injectionPrompt(agent, mode, tools, meta, request.contextWindow);
  const room = request.budget - tokensIn(prompt) - (request.promptTokens ?? 0);
  const fitted = fitBudget(sent, formsIn[mode], room);
  // Full schemas were checked against the budget before.
  return { ...fitted, fits: fitted.fits || mode !== 'compact_direct', prompt };
}

interface Shown {
  readonly shown: readonly RegisteredTool[];
  /** Always in full, after the others. */
  readonly kept: readonly RegisteredTool[];
}

function selectShown(
  { agent, tools, listed, isRelevant, kept = [] }: WithinBudget,
  mode: InjectionMode,
): Shown {
  const usedLately = new Set(kept);
  const byId = new Map(tools.filter(({ id }) => usedLately.has(id)).map((tool) => [tool.id, tool]));
  const inOrder = [...usedLately].flatMap((id) => byId.get(id) ?? []);
  if (mode === 'discovery') {
    const shown = tools.filter((tool) => isDirect(tool, agent));
    return { shown, kept: inOrder.filter((tool) => !shown.includes(tool)) };
  }
  const shown = isRelevant ? listed.filter(isRelevant) : listed;
  // Already listed in full, unless its pack was left out.
  if (mode === 'direct') return { shown, kept: inOrder.filter((tool) => !shown.includes(tool)) };
  return { shown: shown.filter(({ id }) => !usedLately.has(id)), kept: inOrder };
}
