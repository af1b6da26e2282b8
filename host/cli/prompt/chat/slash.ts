import type { Command } from '../../command.ts';
import { commands } from '../../commands.ts';
import { complete } from '../../complete.ts';
import type { Completion } from '../../terminal/editor/completion.ts';
import type { Skill } from '../../../api/agent.ts';
import type { Host } from '../../../host.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { pluginCommandsOf } from '../../plugin-commands.ts';
import { closed, knownTo } from '../complete-line.ts';

/** What a conversation has of its own; all commands of `pegboard` work behind a slash too. */
export const ownCommands = {
  help: { usage: '', summary: 'What can be typed here' },
  new: { usage: '', summary: 'A fresh conversation; this one is kept' },
  history: { usage: '[N]', summary: 'The last messages of this conversation' },
  agent: { usage: '[NAME]', summary: 'Who answers, or who is to answer now' },
  model: {
    usage: '[NAME]',
    summary: 'Which model answers, or which is to from now on; "no" declines an offer',
  },
  skills: { usage: '', summary: 'What the agent has instructions for; /NAME uses one' },
  quit: { usage: '', summary: 'Leaves; so does Ctrl-D' },
} as const;
export type OwnCommand = keyof typeof ownCommands;

/** Of the commands of `pegboard`, those that /help shows. */
export const sharedCommands = {
  tools: { usage: '[MODULE]', summary: 'The tools that there are' },
  search: { usage: 'WORDS', summary: 'Tools by what they do' },
  show: { usage: 'TOOL', summary: 'All about one tool' },
  call: { usage: 'TOOL [key=value…]', summary: 'Runs a tool; what is missing is asked for' },
  inject: { usage: '', summary: 'What the model gets to see of the tools' },
  usage: { usage: '', summary: 'What models were used for, and what it cost' },
} as const;

export type Slash =
  | { readonly [kind in OwnCommand]: { readonly kind: kind; readonly rest: string } }[OwnCommand]
  /** A command of `pegboard`, without its slash. */
  | { readonly kind: 'command'; readonly line: string }
  /** Said to the agent as it is. */
  | { readonly kind: 'skill' }
  | { readonly kind: 'unknown'; readonly name: string; readonly near: readonly string[] };

const aliases: { readonly [name: string]: OwnCommand } = {
  exit: 'quit',
  q: 'quit',
  '?': 'help',
  clear: 'new',
  models: 'model',
  agents: 'agent',
};

/** Pure. A line that begins with a slash; a path ("/etc/hosts is …") is no command. `more` are commands of plugins. */
export function readSlash(
  line: string,
  skills: readonly Skill[],
  more: readonly Command[],
): Slash | undefined {
  const [, name, rest] = /^\/(\S*)\s*([^]*)$/.exec(line.trim()) ?? [];
  if (name === undefined || rest === undefined || name.includes('/')) return undefined;
  const own = aliases[name] ?? name;
  if (own in ownCommands && !(own === 'help' && rest !== ''))
    return { kind: own, rest: rest.trim() } as Slash;
  const names = commandNames(more);
  if (names.includes(name)) return { kind: 'command', line: `${name} ${rest}`.trim() };
  if (skills.some((skill) => skill.name === name)) return { kind: 'skill' };
  const known = [...Object.keys(ownCommands), ...names, ...skills.map((skill) => skill.name)];
  return { kind: 'unknown', name, near: nearest(name, known).map((near) => `/${near}`) };
}

/** First words only: "mcp" for "mcp list". */
function commandNames(more: readonly Command[]): string[] {
  const shown = [...commands, ...more].filter(({ hidden }) => !hidden);
  const names = shown.map(({ name }) => name.split(' ')[0]!);
  return [...new Set(names)].filter((name) => name !== '' && !notHere.has(name));
}

const notHere = new Set(['serve', 'start', 'chat']);

/** Of what stands before the cursor; nothing but commands is completed. */
export async function completeSlash(text: string, host: Host, skills: readonly Skill[]): Promise<Completion> {
  if (!/^\/[^/\n]*$/.test(text)) return { word: '', candidates: [] };
  const words = text.slice(1).split(/\s+/);
  const last = words.at(-1)!;
  if (words.length === 1) {
    const shared = commandNames(pluginCommandsOf(host));
    const all = [...Object.keys(ownCommands), ...shared, ...skills.map(({ name }) => name)];
    const names = all.filter((name) => name.startsWith(last));
    return { word: text, candidates: [...new Set(names)].sort().map((name) => closed(`/${name}`)) };
  }
  const found =
    words[0] === 'agent'
      ? host.spaces.agents.map(({ id }) => id).filter((name) => name.startsWith(last))
      : await complete(words, knownTo(host));
  return { word: last, candidates: found.map(closed) };
}
