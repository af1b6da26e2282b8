import { parseArgs, type ParseArgsOptionDescriptor } from 'node:util';
import { pegboard } from '../core/own-command.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import { quoteWord } from '../core/text/shell-words.ts';
import type { Command } from './command.ts';
import type { Option, Options } from './options.ts';

/** Understood by every command, before or after its name. */
export const globalOptions: readonly Option[] = [
  {
    name: 'home',
    value: 'DIR',
    summary:
      'The home to use (default: $PEGBOARD_HOME, else the nearest parent folder with a pegboard.yaml, else ~/.pegboard)',
  },
  { name: 'trust-home', summary: 'Trust an unknown home for this run, without asking' },
  { name: 'agent', value: 'AGENT', summary: 'Act as this agent, with its tools and hooks' },
  { name: 'debug', summary: 'Show stack traces and log more details' },
  { name: 'help', short: 'h', summary: 'Show help' },
];

export interface Parsed {
  readonly options: Options;
  readonly words: readonly string[];
  readonly rest: readonly string[];
}

/** Sorts a command's arguments into options and words. Throws PEG_USAGE with a suggestion. */
export function parse(command: Command, args: readonly string[]): Parsed {
  const known = [...(command.options ?? []), ...globalOptions];
  const given = new Map<string, string[]>();
  const words: string[] = [];
  const own = beforeEnd(args);
  const behind = args.slice(own.length + 1);
  const isParameter = (arg: string): boolean => takesParameters(command) && /^-[A-Za-z]=/.test(arg);
  const { tokens } = parseArgs({
    args: own.filter((arg) => !isParameter(arg)),
    options: toDescriptors(known),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    else if (token.kind === 'option') {
      const option = known.find(({ name }) => name === token.name);
      if (!option) throw unknownOption(command, token.rawName, known, own);
      given.set(option.name, [...(given.get(option.name) ?? []), valueOf(command, option, token.value)]);
    }
  }
  const options: Options = {
    flag: (name) => given.has(name),
    value: (name) => given.get(name)?.at(-1),
    values: (name) => given.get(name) ?? [],
  };
  words.push(...own.filter(isParameter));
  return command.takesProgram
    ? { options, words, rest: behind }
    : { options, words: [...words, ...behind], rest: [] };
}

/** The arguments before `--`: nothing after it is an option. */
export function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end < 0 ? args : args.slice(0, end);
}

/** `-C=1` is then a parameter of a tool that is called -C, as options with one letter take no "=". */
const takesParameters = ({ usage }: Command): boolean => usage.includes('key=value');

/** Throws PEG_USAGE when there are fewer or more words than the command's usage names. */
export function checkCount(command: Command, words: readonly string[]): void {
  const wanted = command.usage.split(' ').filter((word) => word !== '' && !word.startsWith('-'));
  const required = wanted.filter((word) => !word.startsWith('['));
  if (words.length < required.length) {
    throw usageError(command, `${titleOf(command)} needs ${required.slice(words.length).join(' and ')}.`);
  }
  if (words.length > wanted.length && !wanted.some((word) => word.includes('…'))) {
    throw usageError(
      command,
      `${titleOf(command)} takes ${wanted.length === 0 ? 'no arguments' : `only ${wanted.join(' ')}`}; "${words[wanted.length]}" is one too many.`,
    );
  }
}

export function usageError(command: Command, message: string): PegboardError {
  return new PegboardError('PEG_USAGE', `${message} See "${titleOf(command)} --help".`);
}

export function titleOf(command: Command): string {
  return command.name === '' ? pegboard : `${pegboard} ${command.name}`;
}

function toDescriptors(options: readonly Option[]): Record<string, ParseArgsOptionDescriptor> {
  return Object.fromEntries(
    options.map(({ name, short, value }) => [
      name,
      {
        type: value === undefined ? 'boolean' : 'string',
        multiple: true,
        ...(short !== undefined && { short }),
      },
    ]),
  );
}

function valueOf(command: Command, option: Option, value: string | undefined): string {
  if (option.value === undefined) {
    if (value === undefined) return 'true';
    throw usageError(command, `--${option.name} takes no value.`);
  }
  if (value === undefined) throw usageError(command, `--${option.name} needs a value: ${option.value}.`);
  return value;
}

/** Options of other programs that take a message, which is an argument here. */
const messageOptions: ReadonlySet<string> = new Set(['-p', '--prompt', '--print']);

/** Understood in front of everything else, instead of a command. */
const versionOption = 'version';
const insteadOfCommand = [versionOption, 'tool'];

function unknownOption(
  command: Command,
  rawName: string,
  known: readonly Option[],
  args: readonly string[],
): PegboardError {
  return usageError(
    command,
    [`There is no option ${rawName} here.`, ...hintFor(command, rawName, known, args)].join(' '),
  );
}

function hintFor(
  command: Command,
  rawName: string,
  known: readonly Option[],
  args: readonly string[],
): readonly string[] {
  if (messageOptions.has(rawName) && ['', 'chat'].includes(command.name))
    return [chatHint(args[args.indexOf(rawName) + 1])];
  const name = rawName.replace(/^-+/, '');
  if (name === versionOption || rawName === '-V')
    return [`"${pegboard} --${versionOption}" has to stand alone.`];
  const names = known.map((option) => option.name);
  const [near] = nearest(name, command.name === '' ? [...names, ...insteadOfCommand] : names);
  if (near !== undefined) return [`Did you mean --${near}?`];
  return command.name === 'call' ? [`A tool's parameters are written ${name}=….`] : [];
}

/** How to send a message to an agent. */
export const chatHint = (text = '…'): string => `To ask an agent: \`${pegboard} chat ${inQuotes(text)}\`.`;

/** In double quotes, as most people write them, where these change nothing in the text. */
const inQuotes = (text: string): string => (/["$`\\!\n]/.test(text) ? quoteWord(text) : `"${text}"`);
