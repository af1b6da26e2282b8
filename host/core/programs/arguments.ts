import { moving, operandKinds, printing, working } from './grammars.ts';

interface Option {
  /** How it comes by a value. */
  readonly value: 'none' | 'attached' | 'next' | 'word';
  /** It makes the program read more than what is named. */
  readonly readsMore: boolean;
  /** One of these has to be given. */
  readonly isNeeded: boolean;
}

interface Grammar {
  /** The words that begin a command, with \0 between them: `git log`. */
  readonly name: string;
  /** By their letters, and by their long names; `#` for numbers. */
  readonly options: ReadonlyMap<string, Option>;
  /** One dash begins a whole name, as in `-name`. */
  readonly oneDash: boolean;
  /** Options end at the first operand. */
  readonly isOrdered: boolean;
  /** No argument means anything. */
  readonly takesAll: boolean;
  readonly operands: OperandKinds;
  /** It changes nothing, and reads only what is named. */
  readonly onlyPrints: boolean;
  /** After it, paths lead where they led before. */
  readonly keepsPaths: boolean;
}

interface OperandKinds {
  readonly accepts: (operand: string, index: number) => boolean;
  /** How many operands have to stand before paths in git. Undefined for any number. */
  readonly before?: number | undefined;
  /** Operands after `--`, or the only one, are paths in git, of which there has to be one; or there is none. */
  readonly paths?: 'named' | 'tracked' | undefined;
}

/** For each word of a command the texts in it that may name files: `-f/x` has `/x`. */
export type FileTexts = readonly (readonly string[])[];

interface Reading {
  readonly grammar: Grammar;
  readonly texts: FileTexts;
  readonly inGit: InGit;
}

/** Paths of which git prints what is in them or once was, or a folder with all that its repository has. */
export interface InGit {
  readonly paths: readonly string[];
  readonly at: 'ever' | 'tracked';
}

/** By their names. */
const grammars = Map.groupBy(
  [
    ...readTable(printing, { onlyPrints: true, keepsPaths: true }),
    ...readTable(working, { onlyPrints: false, keepsPaths: true }),
    ...readTable(moving, { onlyPrints: false, keepsPaths: false }),
  ],
  ({ name }) => name,
);
const longestName = 4;
/** By their first words. */
const namesOf = Map.groupBy(
  [...grammars.keys()].map((name) => name.split('\0')),
  ([program]) => program!,
);

/**
 * What a command, by its words, may use as files. Undefined where the program or one of its arguments isn't known to be
 * harmless. `onlyPrints`: it has to change nothing, and to read only files that it names.
 */
export const fileTextsOf = (
  words: readonly string[],
  { onlyPrints = false }: { readonly onlyPrints?: boolean } = {},
): FileTexts | undefined => readCommand(words, onlyPrints)?.texts;

/** What a command of git prints of files. */
export const filesInGit = (words: readonly string[]): InGit => readCommand(words, false)?.inGit ?? nothing;

const nothing: InGit = { paths: [], at: 'ever' };

/** Whether a command is certain to leave paths where they lead. */
export const keepsPaths = (words: readonly string[]): boolean =>
  readCommand(words, false)?.grammar.keepsPaths === true;

function readCommand(words: readonly string[], onlyPrints: boolean): Reading | undefined {
  const [program = '', ...rest] = words;
  const name = [programIn(program), ...rest];
  for (let length = Math.min(longestName, words.length); length > 0; length--) {
    const known = grammars.get(name.slice(0, length).join('\0'));
    if (!known) continue;
    for (const grammar of known) {
      const found =
        onlyPrints && !grammar.onlyPrints
          ? undefined
          : readArguments(words.slice(length), grammar, onlyPrints);
      if (found) return { ...found, texts: [...words.slice(0, length).map(() => []), ...found.texts] };
    }
    return undefined;
  }
  return undefined;
}

const recursive = new Set(['diff', 'rg']);
const pattern = /^(?:-[a-zA-Z]*[ef].*|--regexp(?:=.*)?|--file(?:=.*)?)$/;

/**
 * Whether a command reads what is in folders: those that it names, or without one also the folder that it runs in.
 * Undefined: it reads only files that it names.
 */
export function readsFolders(words: readonly string[]): 'named' | 'here' | undefined {
  const [program = '', ...rest] = words;
  const name = programIn(program);
  if (!grammars.get(name)?.[0]?.onlyPrints && !recursive.has(name)) return undefined;
  if (!recursive.has(name) && fileTextsOf(words, { onlyPrints: true })) return undefined;
  if (name === 'diff') return 'named';
  const named = rest.filter((word) => !word.startsWith('-')).length;
  // The pattern is no file, and an option with one may take the next word.
  const patterns = rest.filter((word) => pattern.test(word)).length;
  return named > Math.max(1, patterns) ? 'named' : 'here';
}

/** Whether some command that begins with these words is known. Undefined stands for any word. */
export const isKnownCommand = ([program, ...words]: readonly (string | undefined)[]): boolean =>
  (namesOf.get(programIn(program!)) ?? []).some(([, ...rest]) =>
    rest.every((part, index) => (words[index] ?? part) === part),
  );

/** `head` of /usr/bin/head. */
const programIn = (word: string): string => word.replace(/^(?:\/usr)?\/bin\//, '');

function readArguments(words: readonly string[], grammar: Grammar, onlyPrints: boolean): Reading | undefined {
  const { options, oneDash, isOrdered, takesAll } = grammar;
  if (takesAll) return { grammar, texts: words.map((word) => [word]), inGit: nothing };
  const texts: string[][] = [];
  const operands: string[] = [];
  let isComplete = ![...options.values()].some(({ isNeeded }) => isNeeded);
  let dashes: number | undefined;
  let areOver = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index]!;
    if (areOver || !/^-./.test(word)) {
      operands.push(word);
      texts.push([word]);
      areOver ||= isOrdered;
      continue;
    }
    texts.push([]);
    if (word === '--') {
      dashes = operands.length;
      areOver = true;
      continue;
    }
    for (const [name, attached] of oneDash ? wholeName(word) : namesIn(word, options)) {
      const option = options.get(name);
      if (!option || (onlyPrints && option.readsMore)) return undefined;
      isComplete ||= option.isNeeded;
      if (option.value === 'none' && attached !== undefined) return undefined;
      if (option.value === 'word' && attached !== undefined) return undefined;
      const isNext = option.value !== 'attached' && attached === undefined;
      if (option.value === 'none' || (attached === undefined && !isNext)) continue;
      const value = attached ?? words[++index];
      // Some programs read the value `@x` from that file; and another version may take the next word for an option.
      if (value === undefined || value.startsWith('@') || runsGpg.test(value)) return undefined;
      if (isNext && /^-[^\d]/.test(value)) return undefined;
      if (isNext) texts.push([value]);
      else texts.at(-1)!.push(value);
    }
  }
  const inGit = filesAmong(operands, dashes, grammar.operands);
  return isComplete && inGit ? { grammar, texts, inGit } : undefined;
}

/** Undefined where an operand is not as it has to be. `dashes`: how many stand before `--`. */
function filesAmong(
  operands: readonly string[],
  dashes: number | undefined,
  { accepts, before, paths: kind }: OperandKinds,
): InGit | undefined {
  if (kind === undefined) return operands.every(accepts) ? nothing : undefined;
  if (kind === 'tracked')
    return (before === undefined || (dashes === undefined && operands.length === before)) &&
      operands.every(accepts)
      ? { paths: ['.'], at: 'tracked' }
      : undefined;
  const first = dashes ?? (before === undefined && operands.length === 1 ? 0 : operands.length);
  const paths = operands.slice(first);
  const isWhole = paths.length > 0 && (before ?? first) === first;
  return isWhole &&
    operands.slice(0, first).every(accepts) &&
    paths.every((path) => operandKinds['PATH']!.test(path))
    ? { paths, at: 'ever' }
    : undefined;
}

/** Formats of git that check signatures, by a program that the user's configuration names. */
const runsGpg = /%G|%\(signature/;

type NamedOption = readonly [name: string, attached: string | undefined];

function wholeName(word: string): readonly NamedOption[] {
  const [, name = '', attached] = /^--?([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
  return [[name, attached]];
}

/** The options of a word: a long one, or those of a cluster, of which the first with a value takes the rest. */
function namesIn(word: string, options: Grammar['options']): readonly NamedOption[] {
  if (word.startsWith('--')) {
    const [, name = '', attached] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    return [[name, attached]];
  }
  if (/^-\d+$/.test(word) && options.has('#')) return [['#', undefined]];
  const found: NamedOption[] = [];
  for (let at = 1; at < word.length; at++) {
    const takes = options.get(word[at]!)?.value ?? 'none';
    const rest = word.slice(at + 1);
    found.push([word[at]!, takes === 'none' || rest === '' ? undefined : rest]);
    if (takes !== 'none') break;
  }
  return found;
}

function* readTable(table: string, does: Pick<Grammar, 'onlyPrints' | 'keepsPaths'>): Generator<Grammar> {
  for (const line of table.trim().split(/\n(?! )/)) {
    const [, names = '', synopsis = ''] = /^(.+?):(?:\s+(.*))?$/s.exec(line) ?? [];
    const oneDash = /^(?:find$|xxd$|go )/.test(names);
    const [, options = '', kinds] = /^([^(]*)(?:\((.*)\))?$/s.exec(synopsis)!;
    const tokens = options.split(/\s+/);
    const grammar = {
      options: new Map(tokens.flatMap((token) => optionsIn(token, oneDash))),
      oneDash,
      isOrdered: tokens.includes('+'),
      takesAll: tokens.includes('*'),
      operands: operandsOf(kinds),
      ...does,
    };
    for (const name of names.split(', '))
      for (const written of new Set([name, name.replace(/^git (?!-)/, 'git --no-pager ')]))
        yield { ...grammar, name: written.replaceAll(' ', '\0') };
  }
}

/** "-ab:c?", "--name=", and with one dash "-name=". */
function optionsIn(token: string, oneDash: boolean): readonly (readonly [string, Option])[] {
  if (!token.startsWith('-')) return [];
  const signs = { '': 'none', '?': 'attached', ':': 'next', '=': 'next', ',': 'word' } as const;
  const whole = oneDash
    ? /^-([\w-]+)([=?]?)(!?)(\*?)$/.exec(token)
    : /^(--[\w.-]+)([=?]?)(!?)(\*?)$/.exec(token);
  const found = whole ? [whole] : [...token.matchAll(/([^-!:?,*])([:?,]?)(!?)(\*?)/g)];
  return found.map(([, name, sign, more, needed]) => [
    name!,
    { value: signs[sign as keyof typeof signs], readsMore: more === '!', isNeeded: needed === '*' },
  ]);
}

/** "SED ANY..." accepts any number after the first; "0" none; "ANY -- PATH..." one, and paths in git; "HEAD -- TRACKED" one. */
function operandsOf(kinds: string | undefined): OperandKinds {
  if (kinds === undefined) return { accepts: () => true };
  const [first = '', paths] = kinds.split(' -- ');
  const listed = first === '0' ? [] : first.replace('...', '').split(' ');
  const last = first.endsWith('...') ? listed.at(-1) : undefined;
  return {
    accepts: (operand, index) => {
      const kind = listed[index] ?? last;
      return kind !== undefined && operandKinds[kind]!.test(operand);
    },
    before: last === undefined ? listed.length : undefined,
    paths: paths === undefined ? undefined : paths === 'TRACKED' ? 'tracked' : 'named',
  };
}
