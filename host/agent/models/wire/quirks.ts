/** What a server turned out not to take. It is asked without from then on. */
export interface Quirks {
  readonly noStreamOptions?: boolean;
  readonly noTemperature?: boolean;
  readonly noImages?: boolean;
  /** The other of the two names that the limit of an answer goes by. */
  readonly otherLimit?: boolean;
}

/** In a refusal's own words, which of the optional things was one too much. */
const refusals: readonly (readonly [keyof Quirks, RegExp])[] = [
  ['noStreamOptions', /stream_options/i],
  [
    'otherLimit',
    /\bmax_(?:completion_)?tokens\b.*(?:not supported|unsupported|unrecognized|extra)|(?:not supported|unsupported|unrecognized|extra).*\bmax_(?:completion_)?tokens\b/i,
  ],
  ['noTemperature', /temperature/i],
  [
    'noImages',
    /(?:\b(?:does|do|is|are|was|can)(?: not|n[’']t)|cannot|\bno)\b.{0,40}\b(?:images?|vision|multimodal|image_url)\b(?! (?:format|type|url|data|file|size|dimensions?|with|at|in)\b)|\b(?:images?|image_url|vision|multimodal)(?: (?:inputs?|content|messages?|parts?))?(?: (?:is|are))? (?:not|un)[ -]?supported|\b(?:not|no)\b.{0,20}\bmultimodal|text[- ]only|no endpoints found that support image|unknown variant `?image_url|mmproj/i,
  ],
];

/** Does a refusal speak of an image, so that one may be at fault? */
export const blamesImage = (message: string): boolean => /image|vision|multimodal|base64/i.test(message);

/** The quirk that a refused request shows, of those that it had not heeded already. */
export function quirkOf(
  message: string,
  asked: { readonly [Quirk in keyof Required<Quirks>]: boolean },
): keyof Quirks | undefined {
  return refusals.find(([quirk, pattern]) => asked[quirk] && pattern.test(message))?.[0];
}

/**
 * True when a server says that this model, or the server as it was started, takes no `tools`. Seen in the words of
 * Ollama, OpenRouter, vLLM, Groq, LM Studio and llama.cpp.
 */
export function refusesTools(status: number, message: string): boolean {
  if (![400, 404, 422, 500, 501].includes(status)) return false;
  return /does not support (?:tool|function)|tools? (?:use|call(?:ing|s)?|choice)?[`"']? ?(?:is|are) not supported|no endpoints found that support tool|enable-auto-tool-choice|tool-call-parser|(?:unsupported|unrecognized|unknown|extra)\b.{0,40}\btools?\b|\btools?\b.{0,30}(?:not supported|unsupported|not permitted|unrecognized|requires --jinja)/i.test(
    message,
  );
}
