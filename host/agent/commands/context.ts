import type { Turn } from '../turn.ts';
import type { Model } from '../../api/model.ts';
import { withCommas } from '../../core/text/with-commas.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { tokensIn, tokensOf } from '../../tools/injection/wire.ts';
import { tokensOfMessages, usableShare } from '../fit-window.ts';
import { loadHistory, toModelMessages, toolsUsedIn, type TurnHistory } from '../history.ts';
import { writePreamble } from '../preamble.ts';
import { promptOf, systemPromptParts } from '../prompt.ts';
import { openProject } from '../project-text.ts';
import { createTurnHookTable } from '../turn-hooks.ts';
import { modelFor, openCommandTurn } from './command-turn.ts';
import type { CommandServices, RunCommand } from './command.ts';

const barLength = 40;

/** What the next message to the agent would send to its model, in tokens. */
export const showContext: RunCommand = async (_rest, place, services) => {
  const model = await modelFor(place, services);
  const conversation = await services.conversations.getOrCreate(place.key);
  const [last] = (await services.conversations.recent(conversation.id, 2)).filter(
    ({ role }) => role === 'user',
  );
  using turn = openCommandTurn(place, conversation, services, last?.text);
  const hooks = createTurnHookTable(services);
  const history = await loadHistory(turn, hooks, services.conversations);
  const parts = await partsOf(turn, model, history, services);
  return table(model, parts, history);
};

type Parts = readonly (readonly [what: string, tokens: number])[];

async function partsOf(
  turn: Turn,
  model: Model,
  { messages, earlier }: TurnHistory,
  services: CommandServices,
): Promise<Parts> {
  const agent = services.agentFor(turn.agent);
  const { contextWindow, maxTools } = model;
  const scope = { ...services.scopeFor(agent), channel: turn.conversation.source };
  const kept = toolsUsedIn(messages);
  const hooks = createTurnHookTable(services);
  const [sections, skills, injection] = await Promise.all([
    hooks.preTurn(turn),
    services.skillsFor(agent, turn),
    services.inject(agent, { scope, kept, turn, contextWindow, maxTools }),
  ]);
  const { trusted, foreign = '' } = openProject(turn);
  const system = promptOf(systemPromptParts(agent, services.identityOf(agent), injection.prompt));
  const preamble = writePreamble({
    now: new Date(),
    timezone: services.timezone,
    source: turn.conversation.source,
    development: services.development,
    sections,
    skills,
    undone: [],
    finishedJobs: [],
  });
  const wireNameOf = (tool: string): string => services.snapshot().find(tool)?.wireName ?? tool;
  const read = toModelMessages(messages, { tag: turn.conversation.source, wireNameOf });
  return [
    ['System prompt', tokensIn(system)],
    [`Tools (${injection.tools.length})`, injection.tools.reduce((sum, tool) => sum + tokensOf(tool), 0)],
    ...(trusted === undefined ? [] : [['Project', tokensIn(trusted + foreign)] as const]),
    ['Memories, skills', tokensIn(preamble)],
    ['Summary', tokensIn(earlier ?? '')],
    [`Messages (${messages.length})`, tokensOfMessages(read)],
  ];
}

function table({ id, contextWindow }: Model, parts: Parts, { messages }: TurnHistory): string {
  const used = parts.reduce((sum, [, tokens]) => sum + tokens, 0);
  const reserved = Math.floor(contextWindow * (1 - usableShare));
  const rows: Parts = [
    ...parts,
    ['Kept for the answer', reserved],
    ['Free', Math.max(0, contextWindow - reserved - used)],
  ];
  const cells = (tokens: number): number =>
    Math.min(barLength, Math.round((tokens / contextWindow) * barLength));
  const full = cells(used);
  const kept = Math.min(barLength - full, cells(reserved));
  const bar = `${'█'.repeat(full)}${'░'.repeat(barLength - full - kept)}${'▒'.repeat(kept)}`;
  const lines = rows.map(
    ([what, tokens]) =>
      `${what.padEnd(20)}${withCommas(tokens).padStart(11)}${percent(tokens, contextWindow).padStart(6)}`,
  );
  const hint = messages.length > 2 ? '\n\n/compact replaces the older messages by a summary.' : '';
  return [
    `**${shownLine(id)}**: about ${withCommas(used)} of ${withCommas(contextWindow)} tokens are used (${percent(used, contextWindow)}).`,
    '',
    '```',
    bar,
    ...lines,
    `\`\`\`${hint}`,
  ].join('\n');
}

const percent = (tokens: number, of: number): string => `${Math.round((tokens / of) * 100)}%`;
