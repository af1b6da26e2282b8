import { offsetOf, type BoundValue, type Evaluated, type CommandUnit } from '../evaluate.ts';
import { refuse, type RefusalCode } from '../refusal.ts';
import { bareTextOf, expansionOf, literalOf, type SimpleCommand, type Word } from './words.ts';

export type FrameKind =
  | 'command'
  | 'double'
  | 'single'
  | 'parameter'
  | 'arithmetic'
  | 'backtick'
  | 'heredoc'
  | 'condition'
  | 'comment';

/** One level of the shell's syntax. */
export interface Frame {
  readonly kind: FrameKind;
  /** Between "(" and ")". */
  readonly nested: boolean;
  /** A `$( )`, whose output becomes part of this command. */
  readonly substitutes: boolean;
  /** Unquoted: the shell splits the output. */
  readonly splits: boolean;
  /** The template's own text inside arithmetic or `[[ ]]`. */
  text: string;
  /** `case` words without their `esac`. */
  cases: number;
  /** Open brackets inside arithmetic. */
  depth: number;
  command: SimpleCommand;
  word: Word | undefined;
  /** A redirection whose target comes next. */
  operator: string | undefined;
  readonly heredoc?: Heredoc;
}
/** Text that the shell evaluates, including its variables. */
export interface Calculation {
  readonly kind: 'arithmetic' | 'condition' | 'indirection';
  readonly text: string;
}
export interface Heredoc {
  readonly delimiter: string;
  readonly quoted: boolean;
  /** `<<-`: leading tabs are dropped. */
  readonly tabs: boolean;
  atLineStart: boolean;
}

const keywords = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{']);
const builtins =
  /^(cd|export|source|\.|eval|exec|set|unset|alias|unalias|ulimit|umask|trap|type|command|builtin|read|exit|return|wait|shift|let|declare|local|typeset|readonly|pushd|popd|:|hash|jobs|bg|fg|getopts|times|time|for|fi|done|\})$/;
const unsupportedKeywords = /^(function|select|coproc)$/;
const assignment = /^[A-Za-z_]\w*(\[[^\]]*\])?\+?=/;
const subscript = /^[A-Za-z_]\w*\[/;

/** By character code: 1 for characters that are not syntax and can't begin any. */
const plain = new Uint8Array(128).map((_, code) =>
  /[A-Za-z0-9_./:,@%+=-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

export function openFrame(
  kind: FrameKind,
  options: {
    readonly nested?: boolean;
    readonly substitutes?: boolean;
    readonly splits?: boolean;
    readonly heredoc?: Heredoc;
  } = {},
): Frame {
  const { nested = false, substitutes = false, splits = false, heredoc } = options;
  return {
    kind,
    nested,
    substitutes,
    splits,
    text: '',
    cases: 0,
    depth: 0,
    command: { words: [] },
    word: undefined,
    operator: undefined,
    ...(heredoc && { heredoc }),
  };
}

/** The state of the lexer: what has been read, and in which quoting. */
export class LexState {
  readonly units: readonly CommandUnit[];
  private readonly evaluated: Evaluated;
  /** Index of the next unit. */
  index = 0;
  /** The command for the shell, with references in place of values. */
  script = '';
  /** The command for people, with the values quoted. */
  display = '';
  /** Each distinct text once; a script refers to the first as `_peg1`. */
  readonly values: string[] = [];
  private readonly references = new Map<string, number>();
  readonly bound: BoundValue[] = [];
  readonly commands: SimpleCommand[] = [];
  readonly calculations: Calculation[] = [];
  readonly variables = new Map<string, boolean>();
  /** The first piece of syntax that only a shell understands. */
  shellSyntax: string | undefined;
  readonly frames: Frame[] = [openFrame('command')];
  /** Here-documents that begin on the next line. */
  readonly pending: Frame[] = [];

  constructor(evaluated: Evaluated) {
    this.units = evaluated.units;
    this.evaluated = evaluated;
  }

  get top(): Frame {
    return this.frames[this.frames.length - 1]!;
  }

  /** The innermost level that isn't a quote. */
  get holder(): Frame {
    let k = this.frames.length - 1;
    while (this.frames[k]!.kind === 'double' || this.frames[k]!.kind === 'single') k--;
    return this.frames[k]!;
  }

  /** The template's own character at `index + ahead`; undefined for a value, an edge or the end. */
  peek(ahead = 0): string | undefined {
    const unit = this.units[this.index + ahead];
    return typeof unit === 'string' ? unit : undefined;
  }

  valueAt(ahead: number): BoundValue | undefined {
    const unit = this.units[this.index + ahead];
    return typeof unit === 'object' && unit.kind === 'value' ? unit : undefined;
  }

  isEdgeAt(ahead: number): boolean {
    const unit = this.units[this.index + ahead];
    return typeof unit === 'object' && unit.kind === 'edge';
  }

  /** Refuses the template at the current position. */
  refuse(code: RefusalCode, message: string): never {
    return refuse(code, message, offsetOf(this.evaluated, this.index));
  }

  needShell(syntax: string): void {
    this.shellSyntax ??= syntax;
  }

  /** Copies the template's own text into the script unchanged. */
  write(text: string): void {
    this.script += text;
    this.display += text;
  }

  /** Consumes characters without special meaning in any quoting: most of a command, in one step. */
  takePlain(quoted: boolean): boolean {
    const { units, index } = this;
    let text = '';
    let end = index;
    for (; end < units.length; end++) {
      const unit = units[end]!;
      if (typeof unit !== 'string' || plain[unit.charCodeAt(0)] !== 1) break;
      text += unit;
    }
    if (end === index) return false;
    this.addLiteral(text, quoted);
    this.write(text);
    this.index = end;
    return true;
  }

  take(count = 1): void {
    for (let k = 0; k < count; k++) this.write(this.peek(k)!);
    this.index += count;
  }

  push(frame: Frame): void {
    this.frames.push(frame);
  }

  pop(): void {
    this.frames.pop();
  }

  wordOf(frame: Frame): Word {
    if (!frame.word) {
      const { operator } = frame;
      frame.word = operator ? { pieces: [], role: 'redirection', operator } : { pieces: [], role: 'word' };
      frame.operator = undefined;
    }
    return frame.word;
  }

  /** Adds text that the program sees as part of the current word. */
  addLiteral(text: string, quoted: boolean): void {
    const { holder } = this;
    if (holder.kind !== 'command') return;
    const { pieces } = this.wordOf(holder);
    const last = pieces.at(-1);
    if (last?.kind === 'literal' && last.quoted === quoted) last.text += text;
    else pieces.push({ kind: 'literal', text, quoted });
  }

  /** Of a variable that the shell expands. `hasFallback`: the text says what it is without a value. */
  noteVariable(name: string, hasFallback: boolean): void {
    if (/^[A-Za-z_]/.test(name)) this.variables.set(name, hasFallback && this.variables.get(name) !== false);
  }

  /** Adds a part of the current word that only the shell knows. */
  addExpansion(name: string): void {
    const { holder } = this;
    if (holder.kind === 'command') this.addLiteral(expansionOf(name), true);
    else holder.text += expansionOf(name);
  }

  /** The script's name for a text that it gets as an argument. */
  reference(text: string): string {
    let number = this.references.get(text);
    if (number === undefined) {
      number = this.values.push(text);
      this.references.set(text, number);
    }
    return `\${_peg${number}}`;
  }

  endWord(frame: Frame): void {
    const { word } = frame;
    frame.word = undefined;
    if (!word || word.pieces.length === 0) return;
    if (word.role === 'word' && beginsCommand(frame) && this.readFirstWord(word, frame) === 'no command yet')
      return;
    frame.command.words.push(word);
  }

  /** What the first word of a command means to the shell. */
  private readFirstWord(word: Word, frame: Frame): 'no command yet' | 'continue' {
    const [head] = word.pieces;
    const unquoted = head?.kind === 'literal' && !head.quoted ? head.text : '';
    if (subscript.test(unquoted) && word.pieces.some((piece) => piece.kind === 'value'))
      this.refuse(
        'array-subscript',
        'a value in an array subscript is evaluated as arithmetic; use a plain variable',
      );
    if (assignment.test(unquoted)) {
      word.role = 'assignment';
      this.needShell('an assignment');
    }
    const bare = bareTextOf(word);
    if (bare === undefined) return 'continue';
    if (unsupportedKeywords.test(bare))
      this.refuse(
        'unsupported-syntax',
        `"${bare}" is not supported in a command; put it in a script file and call that`,
      );
    if (keywords.has(bare)) {
      this.needShell(`"${bare}"`);
      return 'no command yet';
    }
    if (bare === '[[') {
      this.needShell('"[["');
      this.push(openFrame('condition'));
      return 'no command yet';
    }
    if (bare === 'case') frame.cases++;
    if (bare === 'esac') frame.cases--;
    if (bare === 'case' || builtins.test(bare)) this.needShell(`"${bare}"`);
    return 'continue';
  }

  endCommand(frame: Frame): void {
    this.endWord(frame);
    if (frame.operator)
      this.refuse('missing-redirect-target', `nothing follows "${frame.operator}"; write the file after it`);
    if (frame.command.words.length > 0) this.commands.push(frame.command);
    frame.command = { words: [] };
  }
}

/** Whether no program has been named yet: only assignments and redirections, if anything. */
export function beginsCommand(frame: Frame): boolean {
  return !frame.command.words.some((word) => word.role === 'word');
}

/** True directly after a single literal word, as in `for ((…))`. */
export function followsFor(frame: Frame): boolean {
  return (
    frame.word === undefined &&
    frame.command.words.length === 1 &&
    literalOf(frame.command.words[0]) === 'for'
  );
}
