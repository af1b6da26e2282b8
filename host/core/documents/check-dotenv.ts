import type { Diagnostic } from '../../api/diagnostic.ts';

/**
 * What Node would leave out of a .env file, or read differently than it looks. No diagnostic shows any part of the file,
 * which holds secrets, possibly where a name should be.
 */
export function checkDotenv(text: string, path: string): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  // Node leaves out all carriage returns.
  const lines = text.replaceAll('\r', '').split('\n');
  for (let index = 0; index < lines.length; index++) {
    const found = readVariable(lines, index);
    const { problem } = found;
    if (problem) diagnostics.push({ severity: 'error', path, line: index + 1, column: 1, ...problem });
    index = found.end;
  }
  return diagnostics;
}

interface FoundVariable {
  readonly problem?: Pick<Diagnostic, 'code' | 'message'> & Partial<Diagnostic>;
  /** The index of its last line. */
  readonly end: number;
}

function readVariable(lines: readonly string[], index: number): FoundVariable {
  const line = lines[index]!;
  if (/^\s*(?:#|$)/.test(line)) return { end: index };
  const [, before = '', after] = /^([^=]*)=(.*)$/.exec(line) ?? [];
  if (after === undefined) return { end: index, problem: noVariable };
  const problem = /^\s*(?:export\s+)?[A-Za-z_]\w*\s*$/.test(before) ? undefined : badName;
  if (after !== '' && after.trim() === '' && index + 1 < lines.length) return { end: index, problem: spaces };
  const value = after.trimStart();
  const quote = /^["'`]/.exec(value)?.[0];
  if (quote === undefined) {
    const isCut = /[^\s#]#/.test(value);
    return { end: index, ...((problem ?? isCut) && { problem: problem ?? cut }) };
  }
  const start = before.length + 1 + after.length - value.length + 1;
  for (let end = index, from = start; end < lines.length; end++, from = 0) {
    const close = lines[end]!.indexOf(quote, from);
    if (close === -1) continue;
    const rest = lines[end]!.slice(close + 1);
    const found = problem ?? (/^\s*(?:#|$)/.test(rest) ? undefined : { ...afterQuote, line: end + 1 });
    return { end, ...(found && { problem: found }) };
  }
  return { end: index, problem: problem ?? unclosed };
}

const noVariable = {
  code: 'no-variable',
  message: 'this line sets no variable and is left out',
  hint: 'write NAME=value, or # before a comment',
};
const badName = {
  code: 'bad-variable-name',
  message: "the text before the = can't be the name of a variable",
  hint: 'use letters, digits and _, and begin with no digit',
};
const spaces = {
  code: 'swallowed-line',
  message: 'there are spaces after the =, so the next line is read as the value',
  hint: 'delete the spaces',
};
const cut = {
  severity: 'warning' as const,
  code: 'cut-by-comment',
  message: 'the value ends before the #, which begins a comment',
  hint: 'put the value in quotes',
};
const afterQuote = {
  code: 'text-after-quote',
  message: 'the text after the closing quote is left out',
  hint: 'quote the value with another of " \' `, or begin a comment with #',
};
const unclosed = {
  code: 'unclosed-quote',
  message: 'the value begins with a quote that is not closed, so the quote is part of it',
  hint: 'close the quote',
};
