/**
 * Would RE2 compile the pattern, as far as a look at it tells? It is what our patterns run on, and takes 0.1 s to load and
 * a millisecond for each: too much for each of maybe thousands of tools that are never called.
 */
export function seemsRe2(pattern: string): boolean {
  if (lookAround.test(pattern) || emptyClass.test(pattern)) return false;
  for (const [, sign = '', name] of pattern.matchAll(escapes)) if (!isEscape(sign, name)) return false;
  for (const [, least = '', most = ''] of pattern.matchAll(repeats))
    if (Math.max(Number(least), Number(most)) > maxRepeats) return false;
  // What is left is written as JavaScript has it, but for flags and names.
  return isRegExp(pattern.replaceAll('(?P<', '(?<').replaceAll(/\(\?[imsU-]+(\)|(?=:))/g, beginGroup));
}

const lookAround = /\(\?(?:=|!|>|P=|<[=!])/;
/** To RE2 the bracket is a member of the class, which then goes on. */
const emptyClass = /(?<!\\)\[\^?\]/;
const escapes = /\\([^])?(?:\{(\^?\w+)\})?/g;
const repeats = /\{(\d+)(?:,(\d*))?\}/g;
const maxRepeats = 1000;
const beginGroup = (_: string, end: string): string => (end === ')' ? '' : '(?');

/** Punctuation, what stands for one sign or a class of them, and places. `name`: of a class. */
function isEscape(sign: string, name: string | undefined): boolean {
  if (/[pP]/.test(sign) && name !== undefined && name.replace('^', '').length > 2)
    return isRegExp(`\\p{Script=${name.replace('^', '')}}`, 'u');
  return /^[^A-Za-z1-9]$|^[aftnrvxdDsSwWbBAzCQEpP]$/.test(sign);
}

function isRegExp(pattern: string, flags = ''): boolean {
  try {
    return Boolean(new RegExp(pattern, flags));
  } catch {
    return false;
  }
}
