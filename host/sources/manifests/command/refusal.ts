/** All reasons to refuse a template or a value. */
export type RefusalCode =
  // the text of the template
  | 'empty-command'
  | 'template-too-long'
  | 'template-too-complex'
  | 'template-syntax'
  | 'nul-in-template'
  | 'control-character'
  | 'reserved-name'
  // inside {{ }}
  | 'not-a-name'
  | 'unknown-parameter'
  | 'unknown-data'
  | 'unknown-helper'
  | 'dotted-path'
  | 'bad-depth'
  | 'hash-argument'
  | 'block-arguments'
  | 'each-not-array'
  | 'object-value'
  | 'too-deep'
  | 'unsupported-mustache'
  // a value next to or inside shell syntax
  | 'array-inside-word'
  | 'array-subscript'
  | 'backslash-before-value'
  | 'dollar-before-value'
  | 'value-in-arithmetic'
  | 'value-in-backticks'
  | 'value-in-comment'
  | 'value-in-condition'
  | 'value-in-expansion'
  | 'value-in-heredoc-delimiter'
  | 'value-in-quoted-heredoc'
  // shell syntax
  | 'missing-redirect-target'
  | 'quote-crosses-block'
  | 'token-across-block'
  | 'unbalanced'
  | 'unsupported-syntax'
  // a value that would be code, or choose code
  | 'dangerous-variable'
  | 'program-from-stdin'
  | 'unknown-program'
  | 'value-glued-to-dash'
  | 'value-in-command-position'
  | 'value-in-redirection'
  | 'value-is-code'
  // the values of one call
  | 'argument-too-long'
  | 'bad-value'
  | 'lone-surrogate'
  | 'not-in-enum'
  | 'nul-byte'
  | 'option-injection'
  | 'path-in-redirection'
  | 'render-too-large'
  | 'shell-needed';

/** A template that can't be loaded, or a value that it can't contain. The message says what to write instead. */
export class TemplateRefusal extends Error {
  readonly code: RefusalCode;
  /** In UTF-16 units from the start of the template. */
  readonly offset: number;
  /** Both from 1, within the template. */
  readonly line: number;
  readonly column: number;

  constructor(code: RefusalCode, message: string, offset: number, template = '') {
    super(message);
    this.name = 'TemplateRefusal';
    this.code = code;
    this.offset = offset;
    const { line, column } = positionOf(template, offset);
    this.line = line;
    this.column = column;
  }
}

export function refuse(code: RefusalCode, message: string, offset = 0): never {
  throw new TemplateRefusal(code, message, offset);
}

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column, both from 1; columns count UTF-16 units, as editors do. */
export function positionOf(template: string, offset: number): Position {
  const before = template.slice(0, offset);
  const lines = before.split(/\r\n?|\n/);
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** Runs `work` on the part of `template` from `start`, and converts the position of a refusal to one in `template`. */
export function inTemplate<T>(template: string, start: number, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof TemplateRefusal)) throw cause;
    throw new TemplateRefusal(cause.code, cause.message, cause.offset + start, template);
  }
}
