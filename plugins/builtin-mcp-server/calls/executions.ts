import { type JsonObject, type JsonSchema, PegboardError, type Scope, type Snapshot } from 'pegboard';
import { lookUp } from 'pegboard/channels';
import { isMeta, type Risk, riskOf } from 'pegboard/kit';
import { isObject } from '../protocol/exchange.ts';

const inputSchema: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, params: { type: 'object' } },
  required: ['name'],
};

/** One for each risk, so that a permission by tool name in a client still means something. */
const byRisk = {
  low: {
    name: 'execute_read_only_tool',
    description: 'Run a tool of risk low.',
    inputSchema,
    annotations: { readOnlyHint: true },
  },
  medium: {
    name: 'execute_tool',
    description: 'Run a tool of risk medium: it changes something.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  high: {
    name: 'execute_destructive_tool',
    description: 'Run a tool of risk high: it may destroy.',
    inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
} as const satisfies Record<Risk, JsonObject>;

/** In the format of MCP's `tools/list`. */
export const executions: readonly JsonObject[] = Object.values(byRisk);

const risks = new Map(Object.entries(byRisk).map(([risk, { name }]) => [name as string, risk as Risk]));

/** The call that is meant, or the reason for refusing it. */
export interface InnerCall {
  readonly name: string;
  readonly args: unknown;
  readonly isRefused?: true;
}

/** Undefined when `name` is not one of the three. */
export function innerCall(
  name: string,
  args: JsonObject,
  snapshot: Snapshot,
  scope: Scope,
): InnerCall | undefined {
  const risk = risks.get(name);
  if (risk === undefined) return undefined;
  const { name: wanted, params = {}, ...unknown } = args;
  try {
    if (typeof wanted !== 'string' || !isObject(params) || Object.keys(unknown).length > 0)
      throw doesNotFit(name);
    const tool = lookUp(snapshot, wanted, scope);
    if (isMeta(tool)) throw refused(`${tool.name} is not run by ${name}: call it by its own name.`);
    const own = riskOf(tool);
    if (own !== risk) throw refused(`${tool.id} has risk ${own}: run it with ${byRisk[own].name}.`);
    return { name: tool.id, args: params };
  } catch (cause) {
    if (!(cause instanceof PegboardError)) throw cause;
    // A call without a tool counts as one of execute_tool.
    return { name: typeof wanted === 'string' ? wanted : byRisk.medium.name, args: cause, isRefused: true };
  }
}

const refused = (message: string): PegboardError => new PegboardError('PEG_DENIED', message);

function doesNotFit(name: string): PegboardError {
  return new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `${name} takes the name of a tool, and as params an object with the tool's own arguments.`,
    { data: { schema: inputSchema } },
  );
}
