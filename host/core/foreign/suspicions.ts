import type { JsonObject } from '../../api/result.ts';
import { visibleText } from './visible-text.ts';

/**
 * What known tool poisonings say, in words that a description of a tool has no use for. They only ever flag: whoever
 * words an attack otherwise gets past them, and approval is the guard.
 */
const orders: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'tells the model to disregard what it was told',
    /\b(ignore|disregard|forget|override|bypass)\b.{0,30}\b(previous|prior|above|earlier|system|other|all|any)\b.{0,20}\b(instruction|prompt|rule|message|guideline|direction)s?\b/,
  ],
  [
    'asks to keep something from the user',
    /\b(do not|don'?t|never|without)\b.{0,15}\b(tell|telling|mention|mentioning|inform|informing|notify|notifying|show|showing|reveal|revealing|alert|alerting)\b.{0,20}\b(the |this to the )?(user|human|person|owner)\b/,
  ],
  [
    'speaks to the model in tags',
    /<\s*\/?\s*(important|system|instructions?|secret|assistant|admin|critical)\s*>/,
  ],
  [
    'wants to be run before or instead of other tools',
    /\b(before|instead of|prior to)\b.{0,20}\b(using|calling|invoking|running)\b.{0,10}\b(any|every|all|each)\b.{0,10}\b(other )?tools?\b/,
  ],
  [
    'asks for files that hold secrets',
    /(~|\/home\/[\w.-]+|\/root|\$home)?\/?\.(ssh\/|aws\/|netrc|gnupg|cursor\/mcp\.json|env\b.{0,20}\b(content|file|read|send))|\bid_(rsa|ed25519)\b|\/etc\/(passwd|shadow)\b/,
  ],
  [
    'asks for the conversation or the system prompt',
    /\b(send|pass|include|provide|forward|put|copy|append|fill)\b.{0,30}\b(whole |entire |full |complete )?(conversation( history)?|chat history|system prompt|previous messages)\b/,
  ],
];

/** What in a tool's definition reads like an order to the model, in words: "it asks … (description)". */
export function ordersIn(definition: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const [path, text] of textsOf(definition, '')) {
    const plain = visibleText(text).toLowerCase().replace(/\s+/g, ' ');
    for (const [what, pattern] of orders) if (pattern.test(plain)) found.add(`it ${what} (${path})`);
  }
  return [...found];
}

/** With their paths: "inputSchema.properties.path.description". */
function* textsOf(value: unknown, path: string): Iterable<readonly [path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else if (Array.isArray(value)) for (const item of value) yield* textsOf(item, path);
  else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value))
      yield* textsOf(item, path === '' ? key : `${path}.${key}`);
  }
}
