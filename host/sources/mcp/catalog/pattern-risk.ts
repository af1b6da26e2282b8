/**
 * Whether RE2 would probably compile the pattern. A quick check: loading RE2 takes 0.1 s and each pattern a
 * millisecond, too much for thousands of tools that are never called.
 */
export function seemsRe2(pattern: string): boolean {
  if (lookAround.test(pattern) || emptyClass.test(pattern)) return false;
  for (const [, sign = '', name] of pattern.matchAll(escapes)) if (!isEscape(sign, name)) return false;
  for (const [, least = '', most = ''] of pattern.matchAll(repeats))
    if (Math.max(Number(least), Number(most)) > maxRepeats) return false;
  // Apart from flags and names, the rest is written as in JavaScript.
  return isRegExp(pattern.replaceAll('(?P<', '(?<').replaceAll(/\(\?[imsU-]+(\)|(?=:))/g, beginGroup));
}

const lookAround = /\(\?(?:=|!|>|P=|<[=!])/;
/** In RE2, the bracket belongs to the class, which continues. */
const emptyClass = /(?<!\\)\[\^?\]/;
const escapes = /\\([^])?(?:\{(\^?\w+)\})?/g;
const repeats = /\{(\d+)(?:,(\d*))?\}/g;
const maxRepeats = 1000;
const beginGroup = (_: string, end: string): string => (end === ')' ? '' : '(?');

/** Punctuation, character escapes, classes and anchors. `name`: of a class. */
function isEscape(sign: string, name: string | undefined): boolean {
  if (/[pP]/.test(sign) && name !== undefined && name.replace('^', '').length > 2)
    return isRegExp(`\\p{Script=${name.replace('^', '')}}`, 'u');
  return /^[^A-Za-z1-9]$|^[aftnrvxdDsSwWbBAzCQEpP]$/.test(sign);
}

export function isRegExp(pattern: string, flags = ''): boolean {
  try {
    return Boolean(new RegExp(pattern, flags));
  } catch {
    return false;
  }
}
