import { PegboardError } from 'pegboard';

/** Strings, comments and names in Postgres' SQL. What is left are words and symbols. */
const token =
  /(?<text>[eE]'(?:[^'\\]|\\[^]|'')*'|[bBxXnN]?'(?:[^']|'')*'|\$(?<tag>[A-Za-z_\u0080-\uffff]*[A-Za-z0-9_\u0080-\uffff]*)\$[^]*?\$\k<tag>\$)|(?<line>--[^\n]*)|(?<open>\/\*)|(?<quoted>"(?:[^"]|"")*")|(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(?<param>\$\d+)|(?<other>[^])/gy;

/**
 * Names followed by a parenthesis: every function that a statement calls, and some that aren't functions. Throws
 * PEG_DENIED when the statement can't be parsed with certainty.
 */
export function calledFunctions(sql: string): readonly string[] {
  const called = new Set<string>();
  let last: string | undefined;
  token.lastIndex = 0;
  for (let match = token.exec(sql); match; match = token.exec(sql)) {
    const { open, quoted, word, other, text } = match.groups as {
      readonly [name: string]: string | undefined;
    };
    if (open !== undefined) token.lastIndex = endOfComment(sql, token.lastIndex);
    else if (word !== undefined) last = word.toLowerCase();
    else if (quoted !== undefined) {
      if (last === 'u' && /u&$/i.test(sql.slice(0, match.index))) throw unclear('names by code points');
      last = quoted.slice(1, -1).replaceAll('""', '"');
    } else if (other === '(') {
      if (last !== undefined) called.add(last);
      last = undefined;
    } else if (other === "'" || other === '"' || (other === '$' && text === undefined))
      throw unclear('an unterminated quote');
    else if (other !== undefined && !/\s/.test(other)) last = other === '&' ? last : undefined;
  }
  return [...called];
}

/** Comments may be nested. */
function endOfComment(sql: string, from: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = from;
  for (let depth = 1; ;) {
    const found = mark.exec(sql);
    if (!found) throw unclear('an unterminated comment');
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}

const unclear = (what: string): PegboardError =>
  new PegboardError(
    'PEG_DENIED',
    `The statement has ${what}, so the functions that it calls can't be checked. Write it in a simpler way.`,
  );
