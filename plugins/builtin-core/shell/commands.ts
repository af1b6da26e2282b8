import {
  forEachChild,
  parse,
  type Command,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';

/** A word of a command, with quotes removed. */
export interface ShellWord {
  /** Its known text. Expansions contribute nothing. */
  readonly text: string;
  /** Contains an expansion: `$x`, `$(…)`, `{a,b}`. */
  readonly computed: boolean;
  /** Begins with an expansion, so that it could become an option. */
  readonly open: boolean;
  /** Contains an unquoted `*`, `?` or `[`. */
  readonly glob: boolean;
}

/** One program that a script may run. */
export interface ShellCommand {
  /** The program and its arguments. */
  readonly words: readonly ShellWord[];
  /** Files that it opens for writing, by `>`, `>>` and similar redirections. */
  readonly writes: readonly ShellWord[];
  /** Files that it opens by `<`, and those of `writes` that it also reads. */
  readonly reads: readonly ShellWord[];
  /** The source of its input, or the text given in the script. */
  readonly input: 'inherited' | 'pipe' | 'file' | { readonly text: ShellWord };
  /** The program before it in the pipe. */
  readonly pipedFrom?: string;
}

export interface ShellScript {
  /** Wherever they appear: in pipes, lists, subshells, substitutions, functions, loops. */
  readonly commands: readonly ShellCommand[];
  readonly functions: ReadonlySet<string>;
  /** Syntax errors. */
  readonly errors: readonly string[];
}

/** Maximum depth of the syntax tree, ten times that of scripts that people write. */
const maxDepth = 300;

export function parseShell(script: string): ShellScript {
  const commands: ShellCommand[] = [];
  const functions = new Set<string>();
  const errors: string[] = [];
  const visit = (node: SyntaxNode, depth: number, pipedFrom?: string): void => {
    if (depth > maxDepth) {
      errors.push('it is nested too deep');
      return;
    }
    switch (node.type) {
      case 'Script':
        errors.push(...(node.errors ?? []).map(({ message }) => message));
        break;
      case 'Function':
        functions.add(toWord(node.name).text);
        break;
      case 'Command':
        commands.push(toCommand(node, pipedFrom));
        break;
      case 'Redirected':
        commands.push({ words: [], ...filesOf(node.redirects), input: 'inherited' });
        break;
      case 'Pipeline':
        for (const [index, command] of node.commands.entries()) {
          visit(command, depth + 1, index === 0 ? pipedFrom : nameOf(node.commands[index - 1]!));
        }
        return;
    }
    // Input piped into a loop or a group is the input of every command in it.
    forEachChild(node, (child) => visit(child, depth + 1, pipedFrom));
  };
  visit(parse(script), 0);
  return { commands, functions, errors };
}

const nameOf = (node: SyntaxNode): string =>
  node.type === 'Command' && node.name ? toWord(node.name).text : '';

function toCommand(node: Command, pipedFrom: string | undefined): ShellCommand {
  const words = [node.name, ...node.args].filter((word) => word !== undefined);
  return {
    words: words.map((word) => (word.type === 'Word' ? toWord(word) : literal(word.text))),
    ...filesOf(node.redirects),
    input:
      node.redirects.map(inputOf).findLast((input) => input !== undefined) ??
      (pipedFrom === undefined ? 'inherited' : 'pipe'),
    ...(pipedFrom !== undefined && { pipedFrom }),
  };
}

function filesOf(redirects: readonly Redirection[]): Pick<ShellCommand, 'writes' | 'reads'> {
  const opened = (pattern: RegExp): readonly ShellWord[] =>
    redirects.flatMap((redirect) => {
      if (!pattern.test(redirect.operator) || !('target' in redirect) || !redirect.target) return [];
      const target = toWord(redirect.target);
      // `2>&1` names a descriptor, not a file.
      return redirect.operator.endsWith('&') && /^(\d+|-)$/.test(target.text) ? [] : [target];
    });
  return { writes: opened(/>/), reads: opened(/^(<|<>|<&)$/) };
}

function inputOf(redirect: Redirection): ShellCommand['input'] | undefined {
  switch (redirect.operator) {
    case '<':
    case '<>':
    case '<&':
      return 'file';
    case '<<<':
      return redirect.target && { text: toWord(redirect.target) };
    case '<<':
    case '<<-':
      return { text: fromParts(redirect.body.parts) ?? literal(redirect.body.text) };
    default:
      return undefined;
  }
}

const literal = (text: string): ShellWord => ({ text, computed: false, open: false, glob: false });

function toWord(word: Word): ShellWord {
  const read = readWord(word);
  const isKnown = read.glob || read.computed || decoded(word.text) === read.text;
  return !isKnown || namesFolder.test(word.text) ? { ...read, computed: true } : read;
}

/** A part of a word whose text is the same in every version of bash. */
const certain = /'([^']*)'|\$'([^'\\]*)'|\$?"((?:[^"\\$`]|\\[^])*)"|\\([^])|([^\s'"\\$`;&|<>()]+)/gy;

/** The word without quotes, as bash reads it. Undefined where that isn't certain. */
function decoded(written: string): string | undefined {
  let text = '';
  let end = 0;
  for (const { 0: part, 1: single, 2: ansi, 3: double, 4: escaped, 5: bare, index } of written.matchAll(
    certain,
  )) {
    text +=
      single ??
      ansi ??
      double?.replaceAll(/\\([$`"\\\n])/g, (_, one: string) => (one === '\n' ? '' : one)) ??
      (escaped === '\n' ? '' : escaped) ??
      bare ??
      '';
    end = index + part.length;
  }
  return end === written.length ? text : undefined;
}

/** `~root`, `~+`, and after `=` or `:` a tilde at all: only bash knows which folder that is. */
const namesFolder = /^~(?![/]|$)|[=:]~/;

function readWord(word: Word): ShellWord {
  return (
    fromParts(word.parts) ?? {
      text: word.value,
      computed: false,
      open: false,
      glob: /[*?[]/.test(word.text) && !/['"\\]/.test(word.text),
    }
  );
}

function fromParts(parts: readonly WordPart[] | undefined): ShellWord | undefined {
  if (!parts || parts.length === 0) return undefined;
  const read = parts.map(readPart);
  return {
    text: read.map(({ text }) => text).join(''),
    computed: read.some(({ computed }) => computed),
    open: read[0]!.open,
    glob: read.some(({ glob }) => glob),
  };
}

function readPart(part: WordPart): ShellWord {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return literal(part.value);
    case 'AnsiCQuoted':
      // Versions of bash read some escapes differently.
      return part.text.includes('\\')
        ? { text: part.value, computed: true, open: true, glob: false }
        : literal(part.value);
    case 'Glob':
      return { text: part.text, computed: false, open: false, glob: true };
    case 'ExtendedGlob':
      return { text: part.text, computed: false, open: true, glob: true };
    case 'DoubleQuoted':
    case 'LocaleString':
      return fromParts(part.parts) ?? literal('');
    default:
      return { text: '', computed: true, open: true, glob: false };
  }
}
