import {
  conversationCommandOf,
  conversationCommands,
  type ConversationCommandName,
} from '../../../agent/commands/table.ts';
import type { Command } from '../../command.ts';
import { commands } from '../../commands.ts';
import { complete } from '../../complete.ts';
import type { Completion } from '../../terminal/editor/completion.ts';
import type { Skill } from '../../../api/agent.ts';
import type { Host } from '../../../host.ts';
import { PegboardError } from '../../../core/errors.ts';
import { shownLine } from '../../../core/foreign/shown-text.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { pluginCommandsOf } from '../../plugin-commands.ts';
import { withSlash } from '../classify.ts';
import { withSpace, completionContext } from '../complete-line.ts';

/** Commands of the terminal's chat. Those of every conversation, and all commands of `pegboard`, work with a slash too. */
const ownCommands = {
  help: { usage: '', summary: 'Show what you can type here' },
  continue: { usage: '', summary: 'Go on with the last turn, if it was interrupted' },
  history: { usage: '[N]', summary: 'Show the last messages of this conversation' },
  agent: { usage: '[NAME]', summary: 'Show which agent answers, or choose another' },
  model: {
    usage: '[NAME]',
    summary: 'List the models, or test another and switch to it; "no" declines an offer',
  },
  skills: { usage: '', summary: "List the agent's skills; /NAME uses one" },
  quit: { usage: '', summary: 'Leave; so does Ctrl-D' },
} as const;
export type OwnCommand = keyof typeof ownCommands;

/** The commands of `pegboard` that /help shows. */
const sharedCommands = {
  tools: { usage: '[MODULE]', summary: 'List the tools' },
  search: { usage: 'WORDS', summary: 'Find tools by what they do' },
  show: { usage: 'TOOL', summary: 'Show one tool in full' },
  call: { usage: 'TOOL [key=value…]', summary: 'Run a tool; asks for missing arguments' },
  inject: { usage: '', summary: 'Show how the tools are presented to the model' },
  undo: { usage: '', summary: 'Undo what the last turn changed in files' },
  usage: { usage: '', summary: 'Show how much the models were used, and the cost' },
} as const;

/** What /help shows, in its order. */
export const shownCommands: {
  readonly [name: string]: { readonly usage: string; readonly summary: string };
} = { ...conversationCommands, ...sharedCommands, ...ownCommands };

export type Slash =
  | { readonly [kind in OwnCommand]: { readonly kind: kind; readonly rest: string } }[OwnCommand]
  | { readonly kind: 'conversation'; readonly name: ConversationCommandName; readonly rest: string }
  /** A command of `pegboard`, without its slash. */
  | { readonly kind: 'command'; readonly line: string }
  /** A message to the agent. */
  | { readonly kind: 'skill' }
  | { readonly kind: 'unknown'; readonly name: string; readonly near: readonly string[] };

const aliases: { readonly [name: string]: OwnCommand } = {
  exit: 'quit',
  q: 'quit',
  '?': 'help',
  models: 'model',
  agents: 'agent',
};

/** Pure. A line that begins with a slash, or with "pegboard" and a command; a path ("/etc/hosts is …") is no command. `more` are commands of plugins. */
export function readSlash(
  line: string,
  skills: readonly Skill[],
  more: readonly Command[],
): Slash | undefined {
  const [, name, rest] = /^\/(\S*)\s*([^]*)$/.exec(withSlash(line.trim(), more)) ?? [];
  if (name === undefined || rest === undefined || name.includes('/')) return undefined;
  // `/models list` is the command, `/models` alone the short form.
  const own = name === 'models' && rest !== '' ? name : (aliases[name] ?? name);
  const names = commandNames(more);
  // `/help call` describes a command of pegboard; `/help` has all of the chat's own.
  const topic = own === 'help' ? rest.trim().replace(/^\//, '') : '';
  const isOwnTopic =
    !names.includes(topic) &&
    ((aliases[topic] ?? topic) in ownCommands || conversationCommandOf(topic) !== undefined);
  if (own in ownCommands && (topic === '' || isOwnTopic)) return { kind: own, rest: rest.trim() } as Slash;
  // `/tools`, `/usage` and `/sessions` show more here; `/new` is not the beginning of `new tool`.
  const shared = commands.some((command) => command.name === name) ? undefined : conversationCommandOf(name);
  if (shared !== undefined) return { kind: 'conversation', name: shared, rest: rest.trim() };
  if (names.includes(name)) return { kind: 'command', line: `${name} ${rest}`.trim() };
  if (skills.some((skill) => skill.name === name)) return { kind: 'skill' };
  const known = [...Object.keys(shownCommands), ...names, ...skills.map((skill) => skill.name)];
  return { kind: 'unknown', name, near: nearest(name, known).map((near) => `/${near}`) };
}

/** Throws PEG_USAGE for a command that takes nothing and was given something, which would be lost. */
export function checkRest(slash: Slash): void {
  // `quit` leaves, whatever is said; `help` may be about a command.
  if (!('rest' in slash) || slash.kind === 'quit' || slash.kind === 'help') return;
  const name = slash.kind === 'conversation' ? slash.name : slash.kind;
  if (slash.rest === '' || shownCommands[name]!.usage !== '') return;
  throw new PegboardError('PEG_USAGE', `/${name} takes nothing after it, not "${shownLine(slash.rest)}".`);
}

/** First words only: "mcp" for "mcp list". */
function commandNames(more: readonly Command[]): string[] {
  const shown = [...commands, ...more].filter(({ hidden }) => !hidden);
  const names = shown.map(({ name }) => name.split(' ')[0]!);
  return [...new Set(names)].filter((name) => name !== '' && !notHere.has(name));
}

const notHere = new Set(['serve', 'start', 'chat']);

/** Candidates for the text before the cursor; only commands are completed. */
export async function completeSlash(text: string, host: Host, skills: readonly Skill[]): Promise<Completion> {
  if (!/^\/[^/\n]*$/.test(text)) return { word: '', candidates: [] };
  const words = text.slice(1).split(/\s+/);
  const last = words.at(-1)!;
  if (words.length === 1) {
    const shared = commandNames(pluginCommandsOf(host));
    const all = [...Object.keys(shownCommands), ...shared, ...skills.map(({ name }) => name)];
    const names = all.filter((name) => name.startsWith(last));
    return { word: text, candidates: [...new Set(names)].sort().map((name) => withSpace(`/${name}`)) };
  }
  const found =
    words[0] === 'agent'
      ? host.spaces.agents.map(({ id }) => id).filter((name) => name.startsWith(last))
      : await complete(words, completionContext(host));
  return { word: last, candidates: found.map(withSpace) };
}
