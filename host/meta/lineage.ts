import type { JsonObject } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';

/** How many times a task may be delegated, and how many agents one message of a person may start in all. */
const agentLimits = { depth: 3, agents: 8 } as const;

/** The chain of delegation, down to the running agent. Passed on in the context of messages. */
interface Lineage {
  /** Ids, outermost first. */
  readonly chain: readonly string[];
  /** Shared by all agents that one message of a person starts. */
  readonly started: { count: number };
}

/** The key in IncomingMessage.context. */
const key = 'agents';

/** By turn, or without one by outermost call. */
const lineages = new WeakMap<object, Lineage>();

/**
 * Counts one more agent, and returns the context for its message. Throws PEG_LIMIT, written for the model, when a limit
 * is reached, and with `once` when `agent` is already in the chain.
 */
export function extendLineage(call: ToolCall, agent: string, { once = false } = {}): JsonObject {
  const { chain, started } = lineageOf(call);
  const path = chain.join(' → ');
  if (once && chain.includes(agent))
    throw limit(`${agent} is waiting for this very task (${path}): delegating it back would loop.`);
  if (chain.length > agentLimits.depth)
    throw limit(`The task was already delegated ${agentLimits.depth} times (${path}).`);
  if (started.count >= agentLimits.agents)
    throw limit(`${agentLimits.agents} agents were already started for this message.`);
  started.count++;
  return { [key]: { chain: [...chain, agent], started } satisfies Lineage };
}

function lineageOf(call: ToolCall): Lineage {
  const inherited = call.turn?.message.context?.[key];
  if (isLineage(inherited)) return inherited;
  const owner = call.turn ?? outermost(call);
  const known = lineages.get(owner);
  if (known) return known;
  const lineage = { chain: [call.turn?.agent ?? call.scope.agent ?? call.caller], started: { count: 0 } };
  lineages.set(owner, lineage);
  return lineage;
}

function outermost(call: ToolCall): ToolCall {
  return call.parent ? outermost(call.parent) : call;
}

/** A channel may put anything into its context. */
function isLineage(value: unknown): value is Lineage {
  const { chain, started } = (value ?? {}) as Partial<Lineage>;
  return Array.isArray(chain) && typeof started?.count === 'number';
}

function limit(reason: string): PegboardError {
  return new PegboardError(
    'PEG_LIMIT',
    `${reason} Do it yourself with the tools you have, or answer with what you know.`,
  );
}
