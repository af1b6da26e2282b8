import type { User } from '../core/platform/places.ts';
import type { Agent, AgentHook } from '../api/agent.ts';
import type { Verdict } from '../api/hooks.ts';
import type { Content, JsonObject, ToolResult } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { childEnvironment } from '../core/processes/environment.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';
import { PegboardError } from '../core/errors.ts';
import { hookShell } from '../core/platform/shells.ts';
import { runProcess, type ProcessResult } from '../core/processes/process.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { agentsOf } from '../tools/limits.ts';

/** Exit code with which a hook refuses a call; its standard error says why. */
const refused = 2;
/** Seconds. */
const defaultTimeoutSeconds = 10;

/** What decides which agent's hooks judge a call. Asked for every call. */
export interface JudgedAgents {
  readonly isOnlyAgent: () => boolean;
  /** Whether the agent can have hooks of its own. */
  readonly hasFile: (id: string) => boolean;
}

/**
 * Hooks of agents: commands that get the call as JSON on standard input. They judge calls of their agent. Calls without
 * an agent, or of one without a file, are judged if the tool belongs to the agent's space, or if the home has no other agent.
 */
export function agentHooks(
  agent: Agent,
  { isOnlyAgent, hasFile }: JudgedAgents,
  env: User['env'],
): HookOwner {
  const toHook = <Handler>(hook: AgentHook, handler: Handler) => ({
    ...(hook.match !== undefined && { tools: hook.match }),
    // The command is stopped first, so that its own message explains what happened.
    timeout: (hook.timeout ?? defaultTimeoutSeconds) + 5,
    handler,
  });
  return {
    name: `agent ${agent.id}`,
    hooks: {
      preTool: (agent.hooks.pre_tool ?? []).map((hook) =>
        toHook(hook, (call: ToolCall) => judge({ agent, env }, hook, call)),
      ),
      postTool: (agent.hooks.post_tool ?? []).map((hook) =>
        toHook(hook, (call: ToolCall, result: ToolResult) => edit({ agent, env }, hook, call, result)),
      ),
    },
    appliesTo: (tool, scope) =>
      agentsOf(scope).includes(agent.id) ||
      (!(scope.agent !== undefined && hasFile(scope.agent)) &&
        (tool.source.module === agent.space || isOnlyAgent())),
  };
}

/** The agent of a hook, and the variables of the host. */
interface HookPlace {
  readonly agent: Agent;
  readonly env: User['env'];
}

async function judge(place: HookPlace, hook: AgentHook, call: ToolCall): Promise<Verdict | void> {
  const ended = await runHook(place, hook, toInput(call), call.signal);
  if (ended.exitCode === refused)
    return { deny: ended.stderr.trim() || `Refused by the hook "${hook.command}".` };
}

async function edit(
  place: HookPlace,
  hook: AgentHook,
  call: ToolCall,
  result: ToolResult,
): Promise<ToolResult | void> {
  const ended = await runHook(place, hook, { ...toInput(call), result }, call.signal);
  if (ended.exitCode === refused) {
    throw new PegboardError(
      'PEG_DENIED',
      ended.stderr.trim() || `The result was withheld by the hook "${hook.command}".`,
    );
  }
  return ended.stdout.trim() === '' ? undefined : toEdited(hook, ended.stdout, result);
}

const toInput = ({ tool, args, prepared, scope, caller }: ToolCall): JsonObject => ({
  tool: tool.id,
  args,
  preview: prepared?.preview,
  cwd: prepared?.cwd,
  agent: scope.agent,
  caller,
});

/** Exit codes other than 0 and 2, a signal and running out of time are failures, which deny. */
async function runHook(
  { agent, env }: HookPlace,
  hook: AgentHook,
  input: JsonObject,
  signal: AbortSignal,
): Promise<ProcessResult> {
  const timeout = hook.timeout ?? defaultTimeoutSeconds;
  const ended = await runProcess({
    argv: hookShell(hook.command, { environment: env }),
    cwd: agent.folder,
    environment: childEnvironment(env),
    stdin: toJson(input),
    signal,
    timeoutMs: timeout * 1000,
  });
  if (ended.exitCode === 0 || ended.exitCode === refused) return ended;
  const how =
    ended.ended === 'timeout'
      ? `took longer than ${timeout} s`
      : ended.exitCode === null
        ? `was ended by ${ended.signal}`
        : `failed with exit code ${ended.exitCode}`;
  const said = ended.stderr.trim().split('\n').at(-1) ?? '';
  throw new Error(`"${hook.command}" ${how}${said === '' ? '' : `: ${said}`}`);
}

function toEdited(hook: AgentHook, stdout: string, result: ToolResult): ToolResult {
  let edited: {
    readonly text?: string;
    readonly content?: readonly Content[];
    readonly structured?: unknown;
  };
  try {
    edited = parseJson(stdout) as typeof edited;
  } catch {
    throw new Error(`"${hook.command}" printed something that is not JSON`);
  }
  const content =
    edited.content ??
    (edited.text === undefined ? result.content : [{ type: 'text', text: edited.text } as const]);
  return { ...result, content, ...(edited.structured !== undefined && { structured: edited.structured }) };
}
