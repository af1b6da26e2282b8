import type { Agent, Brain, Identity, InjectionMode, Skill } from '../api/agent.ts';
import type { Converse, TurnContext } from '../api/conversation.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Injection } from '../api/injection.ts';
import type { Logger } from '../api/log.ts';
import type { Model, ModelProvider, ModelReply, ModelRequest } from '../api/model.ts';
import type { Registry, Scope } from '../api/source.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { createConversations, type Conversations } from '../store/conversations/conversations.ts';
import type { Database } from '../store/database/database.ts';
import { createUsage } from '../store/usage/usage.ts';
import { injectFor } from '../tools/injection/agent-injection.ts';
import { tokensIn } from '../tools/injection/wire.ts';
import { createConverse } from './converse.ts';
import type { ModelsConfig } from './models/choice/config.ts';
import { createModels, type Models } from './models/create-models.ts';
import { noModelError } from './models/choice/local-models.ts';
import type { Environment } from './models/choice/provider.ts';
import { createWindowCache } from './models/choice/window-cache.ts';
import { writeSystemPrompt } from './prompt.ts';
import { paidBy, payFor } from './paid-model.ts';
import type { TurnHookOwner } from './turn-hooks.ts';

/** What a host lends to its agents. Functions are asked each time: files may have changed. */
export interface AgentsOptions {
  /** Absolute path. */
  readonly home: string;
  /** Without a name the home's default agent. Throws PEG_USAGE for an unknown one. */
  readonly agentFor: (name: string | undefined) => Agent;
  readonly scopeFor: (agent: Agent) => Scope;
  readonly identityOf: (agent: Agent) => Identity;
  readonly skillsFor: (agent: Agent, turn: TurnContext) => Promise<readonly Skill[]>;
  readonly turnHooks: () => readonly TurnHookOwner[];
  /** One line for each job that ended and that the conversation was not told of. */
  readonly takeFinishedJobs: (conversation: number) => Promise<readonly string[]>;
  /** Of a message; undefined where there are no embeddings. */
  readonly embed: (text: string) => Promise<Float32Array | undefined>;
  /** Of what sources are for, by their ids. */
  readonly packVectors: () => Promise<ReadonlyMap<string, readonly Float32Array[]>>;
  readonly modelsConfig: () => ModelsConfig;
  /** What plugins bring, by the name of the provider. Asked each time: plugins reload. */
  readonly modelProviders: () => ReadonlyMap<string, ModelProvider>;
  /** The host's, with secrets. */
  readonly environment: Environment;
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  /** Takes secrets out of what is recorded, sent to models and heard from them. */
  readonly redactor: Redactor;
  readonly database: Database;
  /** IANA name. */
  readonly timezone: string;
  readonly development: boolean;
  /** Models are not asked what they take. */
  readonly offline: boolean;
  readonly log: Logger;
}

export interface InjectionOptions {
  /** Tokens; absent: the model's own. */
  readonly contextWindow?: number;
  /** Before what the agent wants. */
  readonly mode?: InjectionMode;
  /** Ids of tools that the last turns used, in the order of their first use. */
  readonly kept?: readonly string[];
  /** What the message would be: packs are selected by it. */
  readonly query?: string;
}

/** Those who answer messages in a home. Disposing cancels the turns that run, and awaits them. */
export interface Agents extends AsyncDisposable {
  readonly converse: Converse;
  readonly conversations: Conversations;
  readonly models: Models;
  /** What an agent's model would be sent: `prompt` is the whole system prompt. Throws PEG_USAGE for an unknown agent. */
  injectionFor(name: string | undefined, options?: InjectionOptions): Promise<Injection>;
  /** By a model's name as in pegboard.yaml; `payer` is who its calls count for. Throws PEG_NO_MODEL where there is none. */
  modelNamed(name: string, payer: string): Promise<Model>;
  /** Asks the model of the turn's agent something beside the turn, without tools; paid as the turn is. */
  complete(turn: TurnContext, request: Omit<ModelRequest, 'tools'>): Promise<ModelReply>;
}

/** Tokens, where no model says what it takes: what most do at least. */
const defaultContextTokens = 128_000;

/** Of what every system prompt says. */
const promptTokens = tokensIn(writeSystemPrompt({ systemPrompt: undefined }, {}, ''));

/** Throws PEG_CONFIG for a time zone that doesn't exist. */
export function openAgents(options: AgentsOptions): Agents {
  const { registry, database, timezone, log, agentFor, scopeFor, identityOf, embed, packVectors } = options;
  const models = createModels({
    config: options.modelsConfig,
    providers: options.modelProviders,
    environment: options.environment,
    log,
    redactor: options.redactor,
    windows: createWindowCache(options.home, log),
  });
  const conversations = createConversations(database);
  const money = {
    spending: createUsage(database, { timeZone: timezone }),
    homeCap: () => options.modelsConfig().spendPerDay,
  };
  const conversing = createConverse({
    ...options,
    ...money,
    redact: (value) => options.redactor.value(value),
    models,
    conversations,
    snapshot: () => registry.snapshot,
    async inject(agent, { turn, ...request }) {
      const messageVector = await turn.embedding();
      const vectors = messageVector && (await packVectors());
      return injectFor(registry.snapshot, {
        ...request,
        agent,
        promptTokens,
        messageVector,
        packVectors: vectors,
      });
    },
  });
  return {
    converse: conversing.converse,
    conversations,
    models,
    async injectionFor(name, { query, contextWindow, ...request } = {}) {
      const agent = agentFor(name);
      const [messageVector, vectors] =
        query === undefined ? [] : await Promise.all([embed(query), packVectors()]);
      const window = contextWindow ?? agent.brain.contextWindow;
      const resolving = options.offline ? Promise.resolve(undefined) : models.resolve(agent.brain);
      // Without a model that can be asked it's still to be seen what one with this window would be shown.
      const model = await (window === undefined ? resolving : resolving.catch(() => undefined));
      const injection = injectFor(registry.snapshot, {
        ...request,
        agent,
        scope: scopeFor(agent),
        contextWindow: window ?? model?.contextWindow ?? defaultContextTokens,
        maxTools: model?.maxTools,
        promptTokens,
        messageVector,
        packVectors: vectors,
      });
      return { ...injection, prompt: writeSystemPrompt(agent, identityOf(agent), injection.prompt) };
    },
    async modelNamed(name, payer) {
      const brain: Brain = { model: name, backend: 'openai_compat', nativeToolUse: 'auto', fallback: [] };
      const model = await models.resolve(brain);
      if (!model) throw noModelError();
      return paidBy(payer, model, money);
    },
    async complete(turn, request) {
      const agent = agentFor(turn.message.agent);
      const model = await models.resolve(agent.brain);
      if (!model) throw noModelError();
      const homeCap = money.homeCap();
      const paid = payFor(model, { agent, turn, spending: money.spending, homeCap });
      return paid.respond({ ...request, tools: [] }, () => {});
    },
    [Symbol.asyncDispose]: () => conversing[Symbol.asyncDispose](),
  };
}
