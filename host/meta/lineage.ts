import type { JsonObject } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';

/** A task may be handed on so many times, and one message of a person may start so many agents in all. */
export const agentLimits = { depth: 3, agents: 8 } as const;

/** Who handed a task to whom, down to the agent that is at work now. It travels in the context of the messages. */
interface Lineage {
  /** Ids, outermost first. */
  readonly chain: readonly string[];
  /** Shared by everything that one message of a person sets going. */
  readonly started: { count: number };
}

/** The key in IncomingMessage.context. */
const key = 'agents';

/** By the turn, or without one by the outermost call. */
const lineages = new WeakMap<object, Lineage>();

/**
 * Counts one more agent, and returns what the context of its message has to say. Throws PEG_LIMIT, written for the
 * model, when there are enough of them, and with `once` when `agent` is already at work further up.
 */
export function extendLineage(call: ToolCall, agent: string, { once = false } = {}): JsonObject {
  const { chain, started } = lineageOf(call);
  const path = chain.join(' → ');
  if (once && chain.includes(agent))
    throw limit(
      `${agent} is waiting for this very task (${path}): handing it back would go round in a circle.`,
    );
  if (chain.length > agentLimits.depth)
    throw limit(`The task was handed on ${agentLimits.depth} times already (${path}).`);
  if (started.count >= agentLimits.agents)
    throw limit(`${agentLimits.agents} agents were started for this message already.`);
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
