/** What a server turned out not to support. It is left out of later requests. */
export interface Quirks {
  readonly noStreamOptions?: boolean;
  readonly noTemperature?: boolean;
  /** Uses the other one of max_tokens and max_completion_tokens. */
  readonly otherLimit?: boolean;
}

/** Which unsupported option a refusal is about, by its message. */
const refusals: readonly (readonly [keyof Quirks, RegExp])[] = [
  ['noStreamOptions', /stream_options/i],
  [
    'otherLimit',
    /\bmax_(?:completion_)?tokens\b.*(?:not supported|unsupported|unrecognized|extra)|(?:not supported|unsupported|unrecognized|extra).*\bmax_(?:completion_)?tokens\b/i,
  ],
  ['noTemperature', /temperature/i],
];

/** Whether a refusal says that the model takes no images at all. */
export const refusesImages = (message: string): boolean =>
  /(?:\b(?:does|do|is|are|was|can)(?: not|n[’']t)|cannot|\bno)\b.{0,40}\b(?:images?|vision|multimodal|image_url)\b(?! (?:format|type|url|data|file|size|dimensions?|with|at|in)\b)|\b(?:images?|image_url|vision|multimodal)(?: (?:inputs?|content|messages?|parts?))?(?: (?:is|are))? (?:not|un)[ -]?supported|\b(?:not|no)\b.{0,20}\bmultimodal|text[- ]only|no endpoints found that support image|unknown variant `?image_url|mmproj/i.test(
    message,
  );

/** Whether a refusal mentions images, so that one may be the cause. */
export const blamesImage = (message: string): boolean => /image|vision|multimodal|base64/i.test(message);

/** The quirk that a refusal reveals. `asked`: the options that the request used. */
export function quirkOf(
  message: string,
  asked: { readonly [Quirk in keyof Required<Quirks>]: boolean },
): keyof Quirks | undefined {
  return refusals.find(([quirk, pattern]) => asked[quirk] && pattern.test(message))?.[0];
}

/**
 * Whether a server says that the model, or its own configuration, doesn't support `tools`. Matches the messages of
 * Ollama, OpenRouter, vLLM, Groq, LM Studio and llama.cpp.
 */
export function refusesTools(status: number, message: string): boolean {
  if (![400, 404, 422, 500, 501].includes(status)) return false;
  return /does not support (?:tool|function)|tools? (?:use|call(?:ing|s)?|choice)?[`"']? ?(?:is|are) not supported|no endpoints found that support tool|enable-auto-tool-choice|tool-call-parser|(?:unsupported|unrecognized|unknown|extra)\b.{0,40}\btools?\b|\btools?\b.{0,30}(?:not supported|unsupported|not permitted|unrecognized|requires --jinja)/i.test(
    message,
  );
}
