import type { Agent } from '../api/agent.ts';
import type { Ask } from '../api/ask.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Registry, Scope, ToolSource } from '../api/source.ts';
import { pointerTo } from '../core/documents/pointer.ts';
import { errorCodes, PegboardError, type ErrorCode } from '../core/errors.ts';
import type { SpaceAgent } from './space.ts';

export interface SetupRequest {
  /** Confirms steps that need it. Absent: such steps are declined. */
  readonly ask?: Ask;
  readonly signal?: AbortSignal;
}

/** The setup steps of agents' modules. */
export interface SetupSteps {
  /**
   * Runs the agent's steps once, and again after its file changed or a plugin or server that they ran on was replaced.
   * Resolves when they have run. Throws a PegboardError that names the failed step; the next call tries again.
   */
  run(agent: SpaceAgent, request?: SetupRequest): Promise<void>;
  /** The last failed step of each of these agents. */
  diagnosticsOf(agents: readonly SpaceAgent[]): readonly Diagnostic[];
}

interface Outcome {
  readonly running: Promise<readonly ToolSource[]>;
  /** The sources that the steps ran on, when they have ended. */
  sources?: readonly ToolSource[];
  failure?: Diagnostic;
}

export function createSetupSteps(dispatch: Dispatch, registry: Registry): SetupSteps {
  const outcomes = new WeakMap<SpaceAgent, Outcome>();
  const isCurrent = ({ sources, failure }: Outcome): boolean => {
    if (failure) return false;
    const registered = new Set(registry.snapshot.sources);
    return sources?.every((source) => registered.has(source)) ?? true;
  };
  const start = (agent: SpaceAgent, request: SetupRequest): Outcome => {
    const outcome: Outcome = { running: runSteps(agent, request, dispatch, registry) };
    outcome.running.then(
      (sources) => (outcome.sources = sources),
      (cause: unknown) => (outcome.failure = toDiagnostic(agent, cause as StepError)),
    );
    outcomes.set(agent, outcome);
    return outcome;
  };
  return {
    async run(agent, request = {}) {
      if (stepsOf(agent.agent).length === 0) return;
      const before = outcomes.get(agent);
      await (before && isCurrent(before) ? before : start(agent, request)).running;
    },
    diagnosticsOf: (agents) => agents.flatMap((agent) => outcomes.get(agent)?.failure ?? []),
  };
}

interface Step {
  readonly module: string;
  readonly index: number;
  /** Of the tool: "database.connect". */
  readonly name: string;
  readonly args: unknown;
}

function stepsOf({ modules, folder }: Agent): readonly Step[] {
  return [...(modules ?? [])].flatMap(([module, { setup }]) =>
    setup.map(({ action, params }, index) => ({
      module,
      index,
      name: `${module}.${action}`,
      args: withFolder(params, folder),
    })),
  );
}

/** Replaces `{{workdir}}` in all strings with the space's folder. */
function withFolder(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return value.replaceAll(/\{\{\s*workdir\s*\}\}/g, () => folder);
  if (Array.isArray(value)) return value.map((item: unknown) => withFolder(item, folder));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withFolder(item, folder)]));
}

/** Runs the steps one after the other with the host's rights. The agent's hooks judge the calls, its middleware does not. */
async function runSteps(
  agent: SpaceAgent,
  request: SetupRequest,
  dispatch: Dispatch,
  registry: Registry,
): Promise<readonly ToolSource[]> {
  const { id, modules } = agent.agent;
  const scope: Scope = { identity: 'host', agent: id, access: {}, ...(modules && { modules }) };
  const used = new Set<ToolSource>();
  for (const step of stepsOf(agent.agent)) {
    const { name, args } = step;
    const { error } = await dispatch({ ...request, name, args, scope, caller: `setup:${id}` });
    if (error) throw new StepError(agent, step, error);
    const tool = registry.snapshot.find(name);
    if (tool) used.add(tool.source);
  }
  return [...used];
}

/** The error for the turn: the step, its position in the file, and the reason. */
class StepError extends PegboardError {
  readonly place: Pick<Diagnostic, 'path' | 'line' | 'column'>;
  readonly reason: string;

  constructor(
    { agent, document }: SpaceAgent,
    { module, index, name }: Step,
    { code, message }: { readonly code: string; readonly message: string },
  ) {
    const place = {
      ...(document && { path: document.path }),
      ...document?.locate(pointerTo('tools', 'modules', module, 'setup', index)),
    };
    const where = [place.path, place.line, place.column].filter((part) => part !== undefined).join(':');
    const known = Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : 'PEG_TOOL_FAILED';
    super(known, `The agent ${agent.id} could not be set up: ${name} failed (${where}). ${message}`);
    this.place = place;
    this.reason = `${name} failed: ${message}`;
  }
}

function toDiagnostic({ agent }: SpaceAgent, { reason, place }: StepError): Diagnostic {
  return {
    severity: 'error',
    code: 'setup-failed',
    message: `the agent ${agent.id} could not be set up: ${reason}`,
    ...place,
  };
}
