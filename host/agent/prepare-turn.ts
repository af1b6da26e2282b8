import type { Agent } from '../api/agent.ts';
import type { IncomingMessage, RecordedCall } from '../api/conversation.ts';
import type { Model, ModelMessage, WireTool } from '../api/model.ts';
import type { Scope } from '../api/source.ts';
import type { EarlierTurn } from '../store/conversations/earlier-turn.ts';
import { loadHistory, toCallMessages, toModelMessages, toolsUsedIn, userContent } from './history.ts';
import { tagOf } from './marks.ts';
import { confineScope, narrowScope } from './narrow-scope.ts';
import { writePreamble } from './preamble.ts';
import { openProject, type ShownProject } from './project-text.ts';
import { promptOf, systemPromptParts } from './prompt.ts';
import type { ConverseServices } from './services.ts';
import { callsWithoutRound, roundsOf, toRecorded, type EarlierRound } from './resume/earlier-rounds.ts';
import type { Suspension } from './resume/suspension.ts';
import type { TurnHookTable } from './turn-hooks.ts';
import type { Turn } from './turn.ts';

/** What a turn starts from. */
export interface OpenedTurn {
  readonly turn: Turn;
  readonly message: IncomingMessage;
  readonly agent: Agent;
  readonly model: Model;
  readonly hooks: TurnHookTable;
  /** The same turn as far as it got before it was interrupted. */
  readonly earlier: EarlierTurn | undefined;
  readonly suspension: Suspension | undefined;
}

/** What the model is sent first, and what it may call. */
export interface PreparedTurn {
  readonly scope: Scope;
  readonly tools: readonly WireTool[];
  /** System prompt, history, the user's message. */
  readonly messages: readonly ModelMessage[];
  /** What stands before the user's message. */
  readonly preamble: string;
  /** The rounds of an interrupted turn. */
  readonly earlier: readonly EarlierRound[];
  /** Calls of an interrupted turn; later ones are added as they end. */
  readonly toolCalls: RecordedCall[];
}

/** Steps 3 to 9 of `converse.ts`. */
export async function prepareTurn(services: ConverseServices, opened: OpenedTurn): Promise<PreparedTurn> {
  const { snapshot } = services;
  const { turn, message, agent, model, hooks, earlier } = opened;

  // 3, 4, 5. History, memories, skills. The message's embedding is computed at first use, and shared.
  const history = await loadHistory(turn, hooks, services.conversations, earlier?.userMessageId);
  for (const origin of earlier?.untrusted ?? []) turn.untrusted.note(origin);
  const project = openProject(turn);
  const toolCalls = (earlier?.toolCalls ?? []).map(toRecorded);
  // 6. What differs from turn to turn goes before the message. A model that goes on reads what it has read.
  const preamble =
    earlier?.preamble ?? (await newPreamble(services, opened, { earlier: history.earlier, project }));

  // 7, 8. The tools that the model is shown, and the system prompt, which changes only when they do.
  const agentScope = confineScope({ ...services.scopeFor(agent), channel: message.source }, message);
  const scope = narrowScope(agentScope, message.context, snapshot());
  const kept = toolsUsedIn([...history.messages, { toolCalls }]);
  const { contextWindow, maxTools } = model;
  const injection = await services.inject(agent, { scope, kept, turn, contextWindow, maxTools });
  const identity = services.identityOf(agent);
  const system = promptOf(systemPromptParts(agent, identity, injection.prompt, project.trusted));

  // 9. The history, then the message.
  const tag = tagOf(message);
  const wireNameOf = (tool: string): string => snapshot().find(tool)?.wireName ?? tool;
  const messages = [
    { role: 'system', text: system } as const,
    ...toModelMessages(history.messages, { tag, wireNameOf }),
    { role: 'user', content: userContent({ ...message, tag, before: preamble }) } as const,
    ...toCallMessages(earlier ? callsWithoutRound(earlier) : [], wireNameOf),
  ];
  const rounds = earlier ? roundsOf(earlier) : [];
  return { scope, tools: injection.tools, messages, preamble, earlier: rounds, toolCalls };
}

/** With the memories of plugins and the skills that fit the message. */
async function newPreamble(
  services: ConverseServices,
  { turn, message, agent, hooks }: OpenedTurn,
  { earlier, project }: { readonly earlier: string | undefined; readonly project: ShownProject },
): Promise<string> {
  const [sections, skills] = await Promise.all([hooks.preTurn(turn), services.skillsFor(agent, turn)]);
  return writePreamble({
    now: new Date(),
    timezone: services.timezone,
    source: message.source,
    development: services.development,
    earlier,
    sections,
    skills,
    foreignInstructions: project.foreign,
    undone: await services.takeUndone(turn.conversation.id),
    finishedJobs: await services.takeFinishedJobs(turn.conversation.id),
    replyTo: message.replyTo,
  });
}
