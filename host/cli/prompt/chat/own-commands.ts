import { pegboard } from '../../../core/own-command.ts';
import type { ConversationCommandName } from '../../../agent/commands/table.ts';
import { noModelError } from '../../../agent/models/choice/local-models.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { Host } from '../../../host.ts';
import { shownLine } from '../../../core/foreign/shown-text.ts';
import { isListedAsOwn, type Context } from '../../command.ts';
import { describeFailed } from '../../models/ask-model.ts';
import { describeSet, setModel } from '../../models/set-model.ts';
import { showModels } from '../../models/show-models.ts';
import { writtenConfigFile } from '../../../write-config.ts';
import { pluginCommandsOf } from '../../plugin-commands.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { wrap } from '../../terminal/width.ts';
import { atWorkplace } from '../../workplace.ts';
import { terminalKey, type OwnConversation } from './own-conversation.ts';
import type { Partner } from './partner.ts';
import { shownCommands, type OwnCommand } from './slash.ts';

export interface ChatScene {
  readonly host: Host;
  readonly context: Context;
  readonly partner: Partner;
  readonly conversation: OwnConversation;
}

type RunOwn = (scene: ChatScene, rest: string) => Promise<void> | void;

/** All but `quit`, which ends the session, and `continue`, which is a message. */
export const runOwn: { readonly [name in Exclude<OwnCommand, 'quit' | 'continue'>]: RunOwn } = {
  help: showHelp,
  history: showHistory,
  agent: changeAgent,
  model: changeModel,
  skills: showSkills,
};

const hints = [
  'Anything else is a message to the agent. All pegboard commands work with a slash in front; /help call describes one.',
  'A backslash at the end of a line, or Alt-Enter, starts a new line. Pasted text stays together.',
  '@notes.md or @"two words.png" sends a file along, and so does a file that you drop here; Ctrl-V pastes a picture.',
  'Tab completes, ↑ brings back earlier messages. Ctrl-C or Escape stops the turn; Ctrl-C pressed twice leaves.',
];

function showHelp({ host, context }: ChatScene): void {
  const { out } = context.terminal;
  const named = Object.entries(shownCommands).map(([name, told]) => ({ name, ...told }));
  const ofPlugins = pluginCommandsOf(host).filter((command) => !isListedAsOwn(command));
  const rows = [...named, ...ofPlugins].map(({ name, usage, summary }) => [
    `/${name} ${usage}`.trim(),
    summary,
  ]);
  const columns = [
    { title: '', paint: out.style.name },
    { title: '', shrinks: true },
  ];
  for (const line of renderTable(out, columns, rows, { indent: 2 })) out.line(line);
  out.line();
  for (const line of hints.flatMap((hint) => wrap(hint, out.proseWidth - 2)))
    out.line(out.style.quiet(`  ${line}`));
}

const defaultHistory = 10;

async function showHistory({ host, context, conversation }: ChatScene, rest: string): Promise<void> {
  const wanted = rest === '' ? defaultHistory : Number(rest);
  if (!/^\d*$/.test(rest) || wanted < 1)
    throw new PegboardError(
      'PEG_USAGE',
      `/history takes the number of messages to show, as in /history 50, not "${shownLine(rest)}".`,
    );
  const { conversations } = await host.agents();
  await conversation.keep();
  const { id } = await conversations.getOrCreate(terminalKey);
  const messages = await conversations.recent(id, wanted);
  if (messages.length === 0) return context.terminal.err.line('This conversation has no messages yet.');
  const { showMessages } = await import('../../sessions/show-messages.ts');
  await showMessages(messages, context.terminal);
}

/** What a command only shows goes to standard output, what it changed is said on standard error. */
const shows: ReadonlySet<ConversationCommandName> = new Set(['context', 'cost']);
const lists: ReadonlySet<ConversationCommandName> = new Set(['resume', 'rewind']);

/** A command that every channel has. The terminal is its owner's. */
export async function runShared(
  { host, context, partner, conversation }: ChatScene,
  { name, rest }: { readonly name: ConversationCommandName; readonly rest: string },
  signal: AbortSignal,
): Promise<void> {
  const { commands } = await host.agents();
  const { terminal } = context;
  const toClipboard = async (text: string): Promise<string> =>
    (await import('../../terminal/clipboard.ts')).toClipboard(text, terminal);
  const place = {
    key: terminalKey,
    agent: partner.chosen,
    isOwner: true,
    signal,
    ...atWorkplace(context),
    ...(terminal.interactive && { toClipboard }),
  };
  await conversation.keep();
  const answer = await commands.run({ name, rest }, place);
  await conversation.note();
  const { writeText } = await import('../turn/plain-turn.ts');
  const { out, err } = terminal;
  await writeText(answer ?? '', shows.has(name) || (lists.has(name) && rest === '') ? out : err);
}

function changeAgent({ host, context, partner }: ChatScene, rest: string): void {
  const { out, err } = context.terminal;
  if (rest !== '') {
    partner.choose(rest);
    return err.line(`${err.style.name(partner.agent.id)} answers now.`);
  }
  const current = partner.agent.id;
  const ids = host.spaces.agents.map(({ id }) => id);
  const rows = [...new Set([current, ...ids])].map((id) => [
    id,
    id === current ? 'answers' : '',
    oneLine(host.spaces.agents.find((agent) => agent.id === id)?.description ?? ''),
  ]);
  const columns = [
    { title: '', paint: out.style.name },
    { title: '' },
    { title: '', shrinks: true, paint: out.style.quiet },
  ];
  for (const line of renderTable(out, columns, rows)) out.line(line);
}

function showSkills({ context, partner }: ChatScene): void {
  const { out, err } = context.terminal;
  if (partner.skills.length === 0)
    return err.line(`There are no skills. \`${pegboard} new skill NAME\` creates one.`);
  const columns = [
    { title: '', paint: out.style.name },
    { title: '', shrinks: true },
  ];
  const rows = partner.skills.map(({ name, description }) => [`/${name}`, oneLine(description)]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
}

async function changeModel(scene: ChatScene, rest: string): Promise<void> {
  const { host, context, partner } = scene;
  const { out } = context.terminal;
  if (rest === 'no') return await declineLocalModels(scene);
  if (rest !== '') return await switchModel(scene, rest);
  const [first, ...others] = partner.models();
  if (first === undefined) throw noModelError(await partner.localServers());
  out.line(shownLine(first));
  for (const name of others)
    out.line(`${shownLine(name)}  ${out.style.quiet('when the one before can’t answer')}`);
  const { models } = await host.agents();
  out.line();
  showModels(context.terminal, await models.list(), shownModels);
}

/** Enough to choose from; the others are found by search. */
const shownModels = 20;

/** Tests the model first; `--anyway` switches without a test. */
async function switchModel({ host, context, partner }: ChatScene, rest: string): Promise<void> {
  const { err } = context.terminal;
  const words = rest.split(/\s+/);
  const anyway = words.includes('--anyway');
  const wanted = words.filter((word) => word !== '--anyway').join(' ');
  const { terminal, signal } = context;
  const { tested, model } = await setModel(host, wanted, { terminal, signal, anyway });
  if (tested && !tested.ok) {
    err.line(describeFailed(tested, wanted));
    return err.line(`Nothing was changed. \`/model ${wanted} --anyway\` switches without a test.`);
  }
  const own =
    partner.agent.brain.model !== undefined ? ' But this agent has its own model in its agent.yaml.' : '';
  err.line(`${describeSet(model, tested, writtenConfigFile(host.home))}${own}`);
}

/** They can still be connected by name. */
async function declineLocalModels({ host, context, partner }: ChatScene): Promise<void> {
  const { err } = context.terminal;
  const found = await partner.localServers();
  for (const { provider } of found) await host.offers.decline(provider);
  const names = found.map(({ name }) => name).join(' and ');
  err.line(names === '' ? 'There is no offer to decline.' : `${names} will not be offered again.`);
}
