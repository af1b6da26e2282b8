import {
  forEachChild,
  parse,
  type Command,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { patternWords } from './command-pattern.ts';
import { isPlainAnsi } from './ansi-quotes.ts';
import { bareName, namesVariable, runsItsArguments, runsNothingElse, runsProgram } from './runners.ts';

/** Stands for any text: a wildcard of a pattern, or what a line leaves to the shell to compute. */
const any = '\0';

/** Everything that a command line may run, as far as its text says. */
export interface LineContents {
  /** Commands in lower case, their words separated by one space. */
  readonly commands: ReadonlySet<string>;
  /** The line without quotes, where not all of it could be parsed. */
  readonly unclear: string | undefined;
}

const maxLength = 20_000;
/** Scripts within the words of others. */
const maxDepth = 6;
/** Levels of the syntax tree, ten times that of scripts that people write. */
const maxNesting = 300;
/** Characters of all commands together. Each argument is also looked at as the beginning of a command. */
const maxCommandLength = 200_000;
/** Words after a name that a rule may be about. */
const maxFollowing = 8;
/** They add further words to the command in their arguments. */
const adding = /^(?:xargs|parallel|find|fd|fdfind)$/;

/**
 * The commands of a line wherever they stand: in lists, pipes, substitutions, loops, functions, here-documents, and in the
 * arguments of other programs, except of those that are known to run nothing else.
 */
export function commandsInLine(line: string): LineContents {
  const reader = new LineReader();
  reader.readScript(line, 0);
  const unclear = reader.isUnclear ? line.toLowerCase().replaceAll(/["'\\]/g, '') : undefined;
  return { commands: reader.commands, unclear };
}

/** Whether a line may run a command that the pattern matches. What the shell computes may be anything. */
export function mayRun({ commands, unclear }: LineContents, pattern: string): boolean {
  const words = patternWords(pattern);
  const written = words
    ? words.map((word) => word.join(any)).join(' ')
    : pattern.replaceAll(/\s+/g, ' ').replaceAll('*', any);
  const wanted = written.toLowerCase();
  // `git status *` means `git status` too.
  const forms = wanted.endsWith(` ${any}`) ? [wanted, wanted.slice(0, -2)] : [wanted];
  if ([...commands].some((command) => forms.some((form) => overlap(form, command)))) return true;
  return unclear !== undefined && wanted.split(/[\0\s]+/).every((part) => unclear.includes(part));
}

class LineReader {
  readonly commands = new Set<string>();
  isUnclear = false;
  #length = 0;

  readScript(text: string, depth: number): void {
    if (text.length > maxLength || depth > maxDepth) {
      this.isUnclear = true;
      return;
    }
    const script = parse(text);
    this.#visit(script, depth, isConnected(script));
    // Bash evaluates texts of such a line again, wherever they come from: what it names, it may run.
    if (!isPlain(script)) this.#addTokens(text);
  }

  /** `isRead`: another program gets what the node prints, and may run it. */
  #visit(node: SyntaxNode, depth: number, isRead: boolean, nesting = 0): void {
    if (nesting > maxNesting) {
      this.isUnclear = true;
      return;
    }
    if (node.type === 'Script' && (node.errors ?? []).length > 0) this.isUnclear = true;
    if (node.type === 'Command') this.#readCommand(node, depth, isRead);
    if (node.type === 'Redirected') this.#readInput(node.redirects, depth);
    if (node.type === 'For' && isRead) this.#addTokens((node.wordlist ?? []).map(textOf).join(' '));
    forEachChild(node, (child) => this.#visit(child, depth, isRead || isReadPipe(node), nesting + 1));
  }

  #readCommand({ name, args, redirects }: Command, depth: number, isRead: boolean): void {
    if (!name) return;
    const words = [name, ...args].map((word) => (word.type === 'Word' ? textOf(word) : word.text));
    this.#add(words);
    if (runsNothingElse(words) && !isRead) return;
    const [program] = words as [string];
    const runs = runsItsArguments(program) || namesVariable(words);
    this.#readInput(redirects, depth, runs);
    if (runs || isRead) this.#addTokens(words.slice(1).join(' '));
    // What it expands to, as far as the text says: "${x:-rm a}", "{rm,a}".
    if (isRead) this.#addTokens(args.map(({ text }) => text.replaceAll(/:[-=+?]|[{},]/g, ' ')).join(' '));
    const [added, marks] = adding.test(bareName(program)) ? [[any], marksIn(words)] : [[], []];
    for (const index of foundPrograms(words, marks)) this.#add([any, ...words.slice(index + 1)]);
    for (const [index, word] of words.entries()) {
      if (index === 0 || (word.startsWith(any) && !runs)) continue;
      const rest = [...words.slice(index + 1), ...added];
      this.#add([word, ...rest]);
      for (const value of attachedTo(word)) this.#add([value, ...rest]);
      // An option or an alias that names a program: `--exec=rm`, `alias x=rm`, `alias.x=!rm`.
      const value = /(?:[=!]|^ext::)([^=!]+)$/.exec(word)?.[1];
      if (value !== undefined) this.#add([value, ...rest]);
      const filled = marks.reduce((text, mark) => text.replaceAll(mark, any), value ?? word);
      this.#readText(filled.replaceAll(any, '$_'), depth + 1, runs);
    }
  }

  /** An argument: a script for some programs, and most of the time something else. `runs`: the program runs scripts. */
  #readText(text: string, depth: number, runs: boolean): void {
    if (/\s/.test(text)) return this.readScript(text, depth);
    if (!/[;&|()`<>{}]/.test(text) || depth > maxDepth) return;
    const script = parse(text);
    // A pattern such as `(a|b)?` is no script, and `$(a)` alone is more often text than a command.
    if ((script.errors ?? []).length === 0 && (runs || !/^[$`]/.test(text)))
      this.#visit(script, depth, false);
  }

  /** `runs`: the program that gets it runs scripts, of whatever language. */
  #readInput(redirects: readonly Redirection[], depth: number, runs = false): void {
    for (const redirect of redirects) {
      const text =
        redirect.type === 'HereDoc'
          ? redirect.body.text
          : redirect.type === 'HereString' && redirect.target
            ? textOf(redirect.target).replaceAll(any, '$_')
            : undefined;
      if (text === undefined) continue;
      this.readScript(text, depth + 1);
      if (runs) this.#addTokens(text);
    }
  }

  /** Each name in a text, with what follows it, as the beginning of a command. */
  #addTokens(text: string): void {
    // For `env -S`, some of these are spaces.
    const spaced = text.replaceAll(/\\[_fnrtv]/g, ' ');
    if (spaced !== text) this.#addTokens(spaced);
    const tokens = text
      .replaceAll(/["'\\]/g, '')
      .split(/[^\w./+@%:,-]+/)
      .filter((token) => token !== '');
    for (const [index, token] of tokens.entries()) {
      const rest = tokens.slice(index + 1, index + maxFollowing);
      const bare = token.replace(/^[+@%:,]+/, '');
      // To sed, "1erm" is the command e with rm.
      const [, executed = bare] = /(?:^|[^a-z])e(.+)$/i.exec(bare) ?? [];
      for (const value of new Set([token, bare, executed, ...attachedTo(token)])) this.#add([value, ...rest]);
    }
  }

  #add(words: readonly string[]): void {
    if (this.#length > maxCommandLength) return;
    const [program = '', ...rest] = words;
    for (const name of new Set([program, program.replace(/^.*[/\\]/, '')])) {
      if (name === '') continue;
      const command = [name, ...rest].join(' ').trim().replaceAll(/\s+/g, ' ').toLowerCase();
      this.#length += command.length;
      if (this.#length > maxCommandLength) this.isUnclear = true;
      else this.commands.add(command);
    }
  }
}

/** What stands for a name that is found: `{}`, and the text of `xargs -I`. */
function marksIn(words: readonly string[]): readonly string[] {
  const given = words.flatMap((word, at) =>
    word === '-I' ? (words[at + 1] ?? []) : (/^-(?:I|-replace=)(.+)$/.exec(word)?.[1] ?? []),
  );
  return [...new Set(['{}', ...given])];
}

/** Where such a name is the program that is run: `-exec {}`, `xargs -I% env %`. */
function foundPrograms(words: readonly string[], marks: readonly string[]): readonly number[] {
  return [...words.keys()].filter((at) => {
    if (at === 0 || !marks.includes(words[at]!) || words[at - 1] === '-I') return false;
    const before = words.slice(0, at);
    const begun = before.findLastIndex((word) => /^-(?:exec|ok)(?:dir)?$/.test(word));
    return before
      .slice(Math.max(begun, 0) + 1)
      .every((word) => /^(?:-.*|\d.*|\w+=.*)$/s.test(word) || marks.includes(word) || runsProgram(word));
  });
}

/** Nodes of a line whose words bash reads once: it expands variables in them, and evaluates nothing. */
const plainNodes = new Set(
  `Script Statement CompoundList Pipeline AndOr Negation Time Command Redirected Subshell BraceGroup If Elif While For Case
  CaseItem Function Word Literal SingleQuoted DoubleQuoted LocaleString AnsiCQuoted Glob SimpleExpansion CommandExpansion
  ProcessSubstitution BraceExpansion`.split(/\s+/),
);

const isPlain = (node: SyntaxNode, nesting = 0): boolean => {
  if (nesting > maxNesting || !(plainNodes.has(node.type) || isRedirect(node))) return false;
  let plain = true;
  forEachChild(node, (child) => (plain &&= isPlain(child, nesting + 1)));
  return plain;
};

/** Whether what one command prints may be what another one runs, other than by a pipe. */
const isConnected = (script: SyntaxNode): boolean =>
  (holds(script, (node) => connecting.has(node.type) || isPipeMaker(node)) &&
    holds(script, (node) => node.type === 'Command' && node.name !== undefined && !isHarmless(node))) ||
  (holds(script, ({ type }) => type === 'Function' || type === 'For') && holds(script, isReadPipe));

const connecting = new Set(['ProcessSubstitution', 'Coproc']);
const isPipeMaker = (node: SyntaxNode): boolean =>
  node.type === 'Command' && node.name !== undefined && /^(?:.*\/)?mk(?:fifo|nod)$/.test(textOf(node.name));
const isReadPipe = (node: SyntaxNode): boolean =>
  node.type === 'Pipeline' && !node.commands.every(isHarmless);

const holds = (node: SyntaxNode, what: (node: SyntaxNode) => boolean, nesting = 0): boolean => {
  if (what(node) || nesting > maxNesting) return true;
  let found = false;
  forEachChild(node, (child) => (found ||= holds(child, what, nesting + 1)));
  return found;
};

/** A redirection, and its parts. */
const isRedirect = ({ type }: SyntaxNode): boolean => /^(?:Here|Redirect|FileDescriptor)/.test(type);

/** What may be the value of an option: `touch f` of `-Stouch f`. */
const attachedTo = (word: string): readonly string[] =>
  /^-[^-]/.test(word) ? Array.from({ length: word.length - 2 }, (_, at) => word.slice(at + 2)) : [];

function isHarmless(node: SyntaxNode): boolean {
  if (node.type !== 'Command' || !node.name) return false;
  return runsNothingElse([node.name, ...node.args].map((word) => (word.type === 'Word' ? textOf(word) : '')));
}

/** The word without quotes, with `any` in place of what the shell computes. */
const textOf = (word: Word): string =>
  word.parts && word.parts.length > 0
    ? word.parts.map(partText).join('')
    : /["'\\]/.test(word.text)
      ? word.value
      : word.value.replaceAll(/[*?]|\[[^\]]*\]/g, any);

function partText(part: WordPart): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value;
    case 'AnsiCQuoted':
      return isPlainAnsi(part.text) ? part.value : any;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map(partText).join('');
    case 'BraceExpansion':
      return part.text === '{}' ? '{}' : any;
    default:
      return any;
  }
}

/** Whether two texts with wildcards have a text in common that both match. */
function overlap(one: string, other: string): boolean {
  const known = Math.min(
    ...[one, other].map((text) => (text.includes(any) ? text.indexOf(any) : text.length)),
  );
  if (one.slice(0, known) !== other.slice(0, known)) return false;
  /** For each end of `other`, from the last on: whether what is left of both can be the same. */
  let below: boolean[] = [];
  for (let i = one.length; i >= 0; i--) {
    const row: boolean[] = Array.from({ length: other.length + 1 });
    for (let j = other.length; j >= 0; j--) {
      const next = j < other.length && row[j + 1]!;
      if (i === one.length) row[j] = j === other.length || (other[j] === any && next);
      else if (one[i] === any) row[j] = below[j]! || next;
      else if (other[j] === any) row[j] = next || below[j]!;
      else row[j] = one[i] === other[j] && below[j + 1]!;
    }
    below = row;
  }
  return below[0]!;
}
