import { relative } from 'node:path';
import { type Agent, PegboardError, toJson } from 'pegboard';
import type { Host } from 'pegboard/embed';
import { defaultContextTokens, describeAgents, type ShownToModel, toFunction, tokensIn } from 'pegboard/home';
import { messageOf } from 'pegboard/kit';
import { tokensOf } from 'pegboard/serving';
import type {
  AgentAccess,
  AgentDetails,
  AgentModel,
  AgentShown,
  AgentSkill,
  AgentTexts,
} from '../agents/wire.ts';
import { firstLineOf } from './first-line.ts';
import type { ApiHandlers } from './handler.ts';

/** Who may what, and what each model is shown. */
export function agentHandlers(host: Host): ApiHandlers {
  /** With a model that can't be used it is what another one would be sent. */
  const shownTo = async (id: string, models: readonly AgentModel[]): Promise<ShownToModel> => {
    const contextWindow = models.find((one) => one.contextWindow !== undefined)?.contextWindow;
    return (await host.agents()).shownTo(id, { contextWindow: contextWindow ?? defaultContextTokens });
  };
  return {
    'GET agents': () => ({ agents: describeAgents(host) }),
    'GET agent': async ({ path: [id = ''] }): Promise<AgentDetails> => {
      const row = describeAgents(host).find((one) => one.id === id);
      if (!row) throw new PegboardError('PEG_USAGE', `There is no agent "${id}" in this home any more.`);
      const agent = host.spaces.agentFor(id);
      const chosen = await modelsOf(agent, host);
      return {
        ...row,
        role: agent.role,
        ...chosen,
        skills: skillsOf(agent, host),
        access: accessOf(agent),
        shown: toShown(await shownTo(id, chosen.models), row.tools, host),
      };
    },
    'GET agent-texts': async ({ path: [id = ''] }): Promise<AgentTexts> => {
      const { models } = await modelsOf(host.spaces.agentFor(id), host);
      const { parts, tools } = await shownTo(id, models);
      return {
        // As they are sent.
        parts: parts.map(({ title, text }) => ({ title, text: host.redact(text) })),
        tools: host.redact(toJson(tools.map(toFunction), 2)),
      };
    },
  };
}

async function modelsOf(
  { brain }: Agent,
  host: Host,
): Promise<{ readonly models: readonly AgentModel[]; readonly modelProblem?: string }> {
  try {
    return { models: await (await host.agents()).models.describe(brain) };
  } catch (cause) {
    return { models: [], modelProblem: host.redact(messageOf(cause)) };
  }
}

const skillsOf = (agent: Agent, { spaces, home }: Host): readonly AgentSkill[] =>
  spaces.skillsOf(agent).map(({ name, description, body, path }) => ({
    name,
    description,
    tokens: tokensIn(body),
    file: relative(home, path),
  }));

function accessOf({ modules, blockedTools, allowUntrusted, sandbox, runtime }: Agent): AgentAccess {
  const { spendPerDay, maxRounds, deadline } = runtime;
  return {
    ...(modules && { modules: [...modules.keys()] }),
    blocked: blockedTools,
    allowUntrusted,
    ...(sandbox && { sandbox: sandbox.level }),
    ...(spendPerDay !== undefined && { spendPerDay }),
    maxRounds,
    deadline,
  };
}

function toShown(
  { mode, reason, contextWindow, parts, tools }: ShownToModel,
  callable: number,
  { registry }: Host,
): AgentShown {
  const ids = new Map([...registry.snapshot.tools.values()].map((tool) => [tool.wireName, tool.id]));
  const counted = parts.map(({ title, text }) => ({ title, tokens: tokensIn(text) }));
  const listed = tools.map((tool) => {
    const id = ids.get(tool.name);
    return {
      name: tool.name,
      ...(id !== undefined && { id }),
      summary: firstLineOf(tool.description),
      tokens: tokensOf(tool),
    };
  });
  return {
    mode,
    reason,
    contextWindow,
    total: [...counted, ...listed].reduce((sum, { tokens }) => sum + tokens, 0),
    parts: counted,
    tools: listed,
    hidden: Math.max(0, callable - listed.length),
  };
}
