import type { JsonObject } from '../../api/result.ts';
import { toLatin } from './look-alike.ts';
import { inLatin, inOtherScripts, kinds, type OrderKind, type Orders } from './injection-phrases.ts';
import { visibleText } from './visible-text.ts';

/** Patterns in which markup counts as much as words. */
const marks: Orders = {
  address: [
    /<\s*\/?\s*(?:important|system|instructions?|secret|assistant|admin|critical|hidden)\s*>/,
    /\[\s*\/?\s*(?:inst|system|admin|sys)\s*\]|<\|\w+\|>|<<\s*\/?sys\s*>>|\bsystem (?:prompt|message|override|notice|note) ?:/,
  ],
  redirect: [
    /\b(?:always|must|also|instead|every|all|each)\b[^.!?]{0,40}\b(?:bcc|blind copy|re-?route|redirect|forward|cc|copy|sent?|go|goes|recipient|destination|payee)\b[^.!?]{0,40}\b(?:[\w.+-]+@[\w-]+\.\w+|[a-z]{2}\d{2}[a-z0-9]{12,}|0x[0-9a-f]{8})/,
  ],
  files: [
    /(~|\/home\/[\w.-]+|\/root|\$home)?\/?\.(ssh\/|aws\/|netrc|gnupg|kube\/config|git-credentials|cursor\/mcp\.json|env\b.{0,20}\b(content|file|read|send))|\bid_(rsa|ed25519)\b|\/etc\/(passwd|shadow)\b/,
  ],
};

const patterns = (Object.keys(kinds) as OrderKind[]).map((kind) => ({
  what: kinds[kind],
  marks: marks[kind] ?? [],
  scripts: inOtherScripts.flatMap((patterns) => patterns[kind] ?? []),
  words: inLatin.flatMap((patterns) => patterns[kind] ?? []),
}));

/** Characters of the shortest known order in Latin letters. Most texts of a schema are shorter. */
const shortestOrder = 10;

/** Descriptions of text in a tool's definition that reads like an order to the model: "it asks … (description)". */
export function findInjectionPatterns(definition: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const [path, text] of textsOf(definition, '')) {
    const written = visibleText(text).normalize('NFKC').replace(/\s+/g, ' ');
    const isAscii = /^[\u0020-\u007E]*$/.test(written);
    const lower = written.toLowerCase();
    const latin = isAscii ? lower : toLatin(written);
    const words = written.length < shortestOrder ? '' : wordsOf(written);
    for (const order of patterns) {
      const isFound =
        order.marks.some((pattern) => pattern.test(latin)) ||
        (words !== '' && order.words.some((pattern) => pattern.test(words))) ||
        (!isAscii && order.scripts.some((pattern) => pattern.test(lower)));
      if (isFound) found.add(`it ${order.what} (${path})`);
    }
  }
  return [...found];
}

/** The letters that digits and signs replace within words. */
const letters = new Map(
  '0o 1i 3e 4a 5s 7t @a $s'.split(' ').map(([sign, letter]) => [sign!, letter!] as const),
);

/** The plain words of a text, whatever the disguise: look-alike letters, markup, tags, `camelCase`, d1gits, s p a c e s. */
function wordsOf(written: string): string {
  const text = written
    .replace(/<[/!]?[a-z][^<>]{0,80}>/gi, ' ')
    .replace(/(?<=[a-z]{2})(?=[A-Z][a-z])/g, ' ')
    .replace(/[’‘`´]/g, "'");
  return toLatin(text)
    .replace(/(?<=[a-z])[013457@$](?=[a-z])|\b[013457@$](?=[a-z]{2})/g, (sign) => letters.get(sign)!)
    .replace(/\b(?:[a-z][ .*_-]){3,}[a-z]\b/g, (spaced) => spaced.replace(/[ .*_-]/g, ''))
    .replace(/[^\p{L}\p{N}.!?;:']+/gu, ' ');
}

/**
 * All texts with their paths: "inputSchema.properties.path.description". Member names belong to the path of their
 * object.
 */
function* textsOf(value: unknown, path: string): Iterable<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item, path);
  else if (value !== null && typeof value === 'object') {
    const members = Object.entries(value);
    yield [path === '' ? 'names' : `names in ${path}`, members.map(([key]) => key).join('; ')];
    for (const [key, item] of members) yield* textsOf(item, path === '' ? key : `${path}.${key}`);
  }
}
