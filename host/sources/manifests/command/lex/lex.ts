import type { BlockEdge, BoundValue, Evaluated } from '../evaluate.ts';
import { inCommand, inCondition } from './command.ts';
import { inArithmetic, inBackticks, inComment, inParameter } from './expansion.ts';
import { inHeredoc } from './heredoc.ts';
import { inDoubleQuotes, inSingleQuotes } from './quotes.ts';
import { LexState, type Calculation, type Frame, type FrameKind } from './state.ts';
import { bindValue } from './value.ts';
import type { SimpleCommand } from './words.ts';

export interface Lexed {
  /** For the shell: references `_peg1` … in place of values. */
  readonly script: string;
  /** For people: the values, quoted. */
  readonly display: string;
  /** The values of the references. */
  readonly values: readonly string[];
  readonly commands: readonly SimpleCommand[];
  /** Every value with its position, including absent ones. */
  readonly bound: readonly BoundValue[];
  /** The syntax that requires a shell, if any. */
  readonly shellSyntax: string | undefined;
  /** The variables that the shell expands, and whether each use says what it is without a value. */
  readonly variables: ReadonlyMap<string, boolean>;
  /** What the shell evaluates. */
  readonly calculations: readonly Calculation[];
  /** Values inside a `$( )`, whose output may contain them. */
  readonly substituted: readonly BoundValue[];
  /** Values inside an unquoted `$( )`, whose output the shell splits and globs. */
  readonly split: readonly BoundValue[];
}

const rules: Readonly<Record<FrameKind, (state: LexState, character: string) => void>> = {
  command: inCommand,
  double: inDoubleQuotes,
  single: inSingleQuotes,
  parameter: inParameter,
  arithmetic: inArithmetic,
  backtick: inBackticks,
  heredoc: inHeredoc,
  condition: inCondition,
  comment: inComment,
};

const unclosed: Readonly<Record<FrameKind, string>> = {
  command: 'a "("',
  double: 'a double quote',
  single: 'a single quote',
  parameter: '"${"',
  arithmetic: '"(("',
  backtick: 'a backtick',
  condition: '"[["',
  heredoc: 'a here-document',
  comment: 'a comment',
};

/** Walks a command as a shell would, tracking the quoting around each value. Throws TemplateRefusal. */
export function lex(evaluated: Evaluated): Lexed {
  const state = new LexState(evaluated);
  const outside: string[] = [];
  const substituted: BoundValue[] = [];
  const split: BoundValue[] = [];
  while (state.index < state.units.length) {
    const unit = state.units[state.index]!;
    if (typeof unit === 'string') rules[state.top.kind](state, unit);
    else if (unit.kind === 'edge') crossEdge(state, unit, outside);
    else {
      if (state.frames.some((frame) => frame.substitutes)) substituted.push(unit);
      if (state.frames.some((frame) => frame.splits)) split.push(unit);
      bindValue(state, unit);
    }
  }
  finish(state);
  const { script, display, values, commands, bound, shellSyntax, variables, calculations } = state;
  return {
    script,
    display,
    values,
    commands,
    bound,
    shellSyntax,
    variables,
    calculations,
    substituted,
    split,
  };
}

/**
 * A block must end in the same quoting as it began in, so that the text after it means the same with and without the
 * block.
 */
function crossEdge(state: LexState, edge: BlockEdge, outside: string[]): void {
  const now = quotingOf(state);
  if (edge.begins) outside.push(now);
  else if (outside.pop() !== now)
    state.refuse(
      'quote-crosses-block',
      'a quote, bracket or here-document opens inside a block and closes outside it, or the other way round; close it on the same side',
    );
  state.index++;
}

/** Equal keys for equal quoting states. */
function quotingOf({ frames, pending }: LexState): string {
  const [{ kind, cases }] = frames as [Frame];
  if (frames.length === 1 && pending.length === 0) return `${kind} ${cases}`;
  const levels = frames.map(({ kind, cases, depth, heredoc }) => [kind, cases, depth, heredoc?.delimiter]);
  return JSON.stringify([levels, pending.length]);
}

function finish(state: LexState): void {
  if (state.top.kind === 'comment') state.pop();
  const { kind } = state.top;
  if (kind === 'heredoc' || state.pending.length > 0)
    state.refuse(
      'unbalanced',
      'a here-document is not ended; its delimiter must be alone on a line, with no space before or after it',
    );
  if (state.frames.length > 1)
    state.refuse(
      'unbalanced',
      `${unclosed[kind]} is not closed; close it, or put a backslash before it if it is text`,
    );
  state.endCommand(state.top);
  if (state.top.cases !== 0) state.refuse('unbalanced', 'every "case" needs its "esac"');
}
