import type { Snapshot } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { PegboardError } from '../../core/errors.ts';
import { isListedAsOwn, type Command } from '../command.ts';
import { commandsIn, findCommand, withCommands } from '../find-command.ts';
import { checkCount, parse, type Parsed } from '../parse.ts';
import { splitText, splitWords } from '../../core/text/shell-words.ts';

/** What a line at the prompt is. */
export type Line =
  | { readonly kind: 'empty' | 'quit' | 'help' | 'clear' }
  | {
      readonly kind: 'command';
      readonly command: Command;
      readonly parsed: Parsed;
      readonly args: readonly string[];
    }
  /** A tool's name, alone or followed by key=value. */
  | { readonly kind: 'tool'; readonly tool: RegisteredTool; readonly words: readonly string[] }
  /** Anything else: what the person wants, in their words. */
  | { readonly kind: 'request'; readonly text: string };

/** Commands that make no sense in a session. */
const notHere = new Set(['', 'serve', 'start', 'complete']);

/** Lines of one word that mean the prompt itself, as in other programs. */
const ownWords = new Map<string, 'quit' | 'help' | 'clear'>([
  ...(['quit', 'exit', 'q', ':q', 'bye', 'logout'] as const).map((word) => [word, 'quit'] as const),
  ...(['help', '?', 'h', 'commands', 'man'] as const).map((word) => [word, 'help'] as const),
  ...(['clear', 'cls'] as const).map((word) => [word, 'clear'] as const),
]);
/** What people type for a command. */
const otherNames = new Map([
  ['tool', 'tools'],
  ['ls', 'tools'],
  ['list', 'tools'],
  ['model', 'models'],
  ['agent', 'agents'],
  ['plugin', 'plugins'],
]);

/** Pure; `more` are commands of plugins. Throws PEG_USAGE for a line that was clearly meant as a command but isn't one. */
export function classify(line: string, snapshot: Snapshot, more: readonly Command[]): Line {
  const text = withSlash(line.trim(), more);
  if (text === '' || text.startsWith('#')) return { kind: 'empty' };
  const explicit = text.startsWith('/');
  const words = wordsOf(explicit ? text.slice(1) : text, more);
  const first = words?.[0] ?? '';
  const own = words?.length === 1 ? ownWords.get(first.toLowerCase()) : undefined;
  if (own) return { kind: own };
  const topic = words?.length === 2 ? topicOf(words, snapshot, more) : undefined;
  if (topic === 'prompt') return { kind: 'help' };
  if (!words) {
    if (explicit || /^(call|show|schema)\s/.test(text))
      throw new PegboardError('PEG_USAGE', 'A quote is not closed.');
    return { kind: 'request', text };
  }
  const isTool = snapshot.find(first) !== undefined;
  const named =
    topic ?? (words.length === 1 && !isTool ? [otherNames.get(first.toLowerCase()) ?? first] : words);
  const command = asCommand(named, explicit, more);
  if (command) return command;
  const tool = snapshot.find(first);
  const others = words.slice(1);
  if (tool && others.every((word) => /^[^\s=]+=/.test(word))) return { kind: 'tool', tool, words: others };
  return { kind: 'request', text };
}

/** A command that was typed as in a shell, "pegboard doctor", as "/doctor". Anything else stays as it is. */
export function withSlash(text: string, more: readonly Command[]): string {
  const [, rest = ''] = /^(?:npx\s+)?pegboard\s+(\S[^]*)$/.exec(text) ?? [];
  const words = wordsOf(rest, more);
  return words?.[0] !== undefined && isCommand(words, more) ? `/${rest}` : text;
}

function isCommand(words: readonly string[], more: readonly Command[]): boolean {
  try {
    return asCommand(words, true, more) !== undefined;
  } catch {
    return false;
  }
}

/** What "help WORD" asks for: a word of the prompt itself, a tool, or a command. Undefined for anything else. */
function topicOf(
  [help = '', word = '']: readonly string[],
  snapshot: Snapshot,
  more: readonly Command[],
): 'prompt' | readonly string[] | undefined {
  if (ownWords.get(help.toLowerCase()) !== 'help') return undefined;
  if (ownWords.has(word.toLowerCase())) return 'prompt';
  const name = otherNames.get(word.toLowerCase()) ?? word;
  if (isCommandWord(name, more)) return ['help', name];
  return snapshot.find(word) === undefined ? undefined : ['show', word];
}

/** As in a shell, but for a command that takes text. Undefined when a quote isn't closed. */
function wordsOf(text: string, more: readonly Command[]): string[] | undefined {
  const words = splitText(text);
  return takesText(words, more) ? words : splitWords(text);
}

function takesText(words: readonly string[], more: readonly Command[]): boolean {
  try {
    return /\b(?:TEXT|QUERY|WORDS)…/.test(findCommand(words, more).command.usage);
  } catch {
    return false;
  }
}

function asCommand(words: readonly string[], explicit: boolean, more: readonly Command[]): Line | undefined {
  try {
    const { command, args } = findCommand(words, more);
    if (notHere.has(command.name)) return undefined;
    const parsed = parse(command, args);
    if (!parsed.options.flag('help')) checkCount(command, parsed.words);
    return { kind: 'command', command, parsed, args: words };
  } catch (cause) {
    // "show me the files" and "new ideas, please" are prose; "show" and "tools --jsno" are not. Other commands of plugins
    // are ordinary words: "schedule lunch" is prose too.
    const prose = words.length > 2 && !words.some((word) => word.startsWith('-'));
    if (explicit || (isCommandWord(words[0]!, more.filter(isListedAsOwn)) && !prose)) throw cause;
    return undefined;
  }
}

function isCommandWord(word: string, more: readonly Command[]): boolean {
  if (commandsIn(word, withCommands(more)).length > 0) return true;
  try {
    return findCommand([word], more).command.name !== '';
  } catch {
    return false;
  }
}
