import { defaultRetries } from './models/retry.ts';
import type { Clock } from '../api/surroundings.ts';
import type { Agent, Brain, Identity, InjectionMode, Skill } from '../api/agent.ts';
import type { ChatCommands } from '../api/channels/chat-commands.ts';
import type { ConversationKey, Converse, TurnContext } from '../api/conversation.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Injection } from '../api/injection.ts';
import type { Logger } from '../api/log.ts';
import type { Model, ModelProvider, ModelReply, ModelRequest } from '../api/model.ts';
import type { Registry, Scope } from '../api/source.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import { createConversations, type Conversations } from '../store/conversations/conversations.ts';
import { createSessions, type Sessions } from '../store/conversations/sessions.ts';
import type { Database } from '../store/database/database.ts';
import { createUsage } from '../store/usage/usage.ts';
import { injectFor } from '../tools/injection/agent-injection.ts';
import type { ToolPreset } from '../tools/preset.ts';
import { tokensIn } from '../tools/injection/wire.ts';
import { createChatCommands } from './commands/run-command.ts';
import { createConverse } from './converse.ts';
import type { ModelsConfig, WrittenSpend } from '../formats/models.ts';
import { createModels, type Models } from './models/create-models.ts';
import { defaultContextTokens } from './models/choice/default-window.ts';
import { noModelError } from './models/choice/local-models.ts';
import type { Environment } from './models/choice/provider.ts';
import { createListingCache } from './models/choice/listing-cache.ts';
import { promptOf, systemPromptParts, type PromptPart } from './prompt.ts';
import { paidBy, payFor } from './paid-model.ts';
import type { RunningTurns } from './running-turns.ts';
import type { ConverseServices } from './services.ts';
import type { TurnHookOwner } from './turn-hooks.ts';

/** What a host provides to its agents. Functions are called each time, since files may have changed. */
export interface AgentsOptions {
  /** Absolute path. */
  readonly home: string;
  /** Without a name the home's default agent. Throws PEG_USAGE for an unknown one. */
  readonly agentFor: (name: string | undefined) => Agent;
  readonly scopeFor: (agent: Agent) => Scope;
  readonly identityOf: (agent: Agent) => Identity;
  readonly skillsFor: (agent: Agent, turn: TurnContext) => Promise<readonly Skill[]>;
  readonly turnHooks: () => readonly TurnHookOwner[];
  /** What the user has undone since the last turn of the conversation, as sentences. Returned once. */
  readonly takeUndone: (conversation: number) => Promise<readonly string[]>;
  /** One line for each finished job that has not been reported to the conversation yet. */
  readonly takeFinishedJobs: (conversation: number) => Promise<readonly string[]>;
  /** Undefined where there are no embeddings. */
  readonly embed: (text: string) => Promise<Float32Array | undefined>;
  /** Embeddings of sources' descriptions, by source id. */
  readonly packVectors: () => Promise<ReadonlyMap<string, readonly Float32Array[]>>;
  readonly modelsConfig: () => ModelsConfig;
  readonly toolPreset: () => ToolPreset;
  /** Model providers of plugins, by name. Read each time, since plugins reload. */
  readonly modelProviders: () => ReadonlyMap<string, ModelProvider>;
  /** The host's, with secrets. */
  readonly environment: Environment;
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly linkedBy: ConverseServices['linkedBy'];
  /** `spend` of pegboard.yaml; called each time. */
  readonly spend: () => WrittenSpend | undefined;
  /** Removes secrets from what is recorded, sent to models and received from them. */
  readonly redactor: Redactor;
  readonly database: Database;
  /** Of the paused calls that this process can go on with. */
  readonly pausedVersion: () => Promise<string>;
  readonly running: RunningTurns;
  /** Whether nobody but the owner writes in the chat of this conversation. */
  readonly onlyOwnerWrites: (key: ConversationKey) => Promise<boolean>;
  /** IANA name. */
  readonly timezone: string;
  readonly clock: Clock;
  readonly development: boolean;
  /** Providers are not asked about their models. */
  readonly offline: boolean;
  readonly log: Logger;
}

export interface InjectionOptions {
  /** Tokens; absent: the model's own. */
  readonly contextWindow?: number;
  /** Overrides the agent's setting. */
  readonly mode?: InjectionMode;
  /** Ids of tools that the last turns used, in order of first use. */
  readonly kept?: readonly string[];
  /** The text of the message, by which packs are selected. */
  readonly query?: string;
}

/** What an agent's model is sent, without what differs from turn to turn. */
export interface ShownToModel extends Omit<Injection, 'prompt'> {
  readonly parts: readonly PromptPart[];
}

/** The agents of a home. Disposing cancels running turns, and waits for them. */
export interface Agents extends AsyncDisposable {
  readonly converse: Converse;
  readonly conversations: Conversations;
  readonly sessions: Sessions;
  /** Those that people type in any channel. */
  readonly commands: ChatCommands;
  readonly models: Models;
  /**
   * What an agent's model would be sent: `prompt` is the whole system prompt. Throws PEG_USAGE for an unknown agent.
   */
  injectionFor(name: string | undefined, options?: InjectionOptions): Promise<Injection>;
  /** The same, with the system prompt in its parts. */
  shownTo(name: string | undefined, options?: InjectionOptions): Promise<ShownToModel>;
  /**
   * A model by its name in pegboard.yaml. Its requests are recorded under `payer`. Throws PEG_NO_MODEL when there is
   * none.
   */
  modelNamed(name: string, payer: string): Promise<Model>;
  /** A separate request to the model of the turn's agent, without tools; paid for like the turn. */
  complete(turn: TurnContext, request: Omit<ModelRequest, 'tools'>): Promise<ModelReply>;
}

/** Tokens of the rules in every system prompt. */
const promptTokens = tokensIn(promptOf(systemPromptParts({ systemPrompt: undefined }, {}, '')));

/** Throws PEG_CONFIG for a time zone that doesn't exist. */
export function openAgents(options: AgentsOptions): Agents {
  const { registry, database, timezone, log, agentFor, scopeFor, identityOf, embed, packVectors } = options;
  const models = createModels({
    config: options.modelsConfig,
    providers: options.modelProviders,
    environment: options.environment,
    log,
    redactor: options.redactor,
    listings: createListingCache(options.home, log),
    retries: { ...defaultRetries, clock: options.clock },
    spend: options.spend,
    pay: (model) => paidBy('models test', model, money),
  });
  const conversations = createConversations(database, { pausedVersion: options.pausedVersion });
  const sessions = createSessions(database);
  const usage = createUsage(database, { timeZone: timezone });
  const money = {
    spending: usage,
    homeCap: () => options.modelsConfig().spendPerDay,
  };
  const services: ConverseServices = {
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
        preset: options.toolPreset(),
        promptTokens,
        messageVector,
        packVectors: vectors,
      });
    },
  };
  const conversing = createConverse(services);
  const shownTo: Agents['shownTo'] = async (name, { query, contextWindow, ...request } = {}) => {
    const agent = agentFor(name);
    const [messageVector, vectors] =
      query === undefined ? [] : await Promise.all([embed(query), packVectors()]);
    const window = contextWindow ?? agent.brain.contextWindow;
    const resolving = options.offline ? Promise.resolve(undefined) : models.resolve(agent.brain);
    // With an explicit window the plan is useful even when no model is available.
    const model = await (window === undefined ? resolving : resolving.catch(() => undefined));
    const injection = injectFor(registry.snapshot, {
      ...request,
      agent,
      preset: options.toolPreset(),
      scope: scopeFor(agent),
      contextWindow: window ?? model?.contextWindow ?? defaultContextTokens,
      maxTools: model?.maxTools,
      promptTokens,
      messageVector,
      packVectors: vectors,
    });
    return { ...injection, parts: systemPromptParts(agent, identityOf(agent), injection.prompt) };
  };
  return {
    converse: conversing.converse,
    conversations,
    sessions,
    commands: createChatCommands({ ...options, ...services, sessions, usage }),
    models,
    injectionFor: async (name, how) => {
      const { parts, ...injection } = await shownTo(name, how);
      return { ...injection, prompt: promptOf(parts) };
    },
    shownTo,
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
      const paid = payFor(model, { agent, turn, spending: money.spending, homeCap, models });
      return paid.respond({ ...request, tools: [] }, () => {});
    },
    [Symbol.asyncDispose]: () => conversing[Symbol.asyncDispose](),
  };
}
