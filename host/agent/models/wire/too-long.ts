/** A provider's statement that a request exceeds the model's limit. */
export interface TooLong {
  /** The model's limit in tokens, if the provider states it. */
  readonly limit?: number;
}

/**
 * Messages of OpenAI and Azure, Anthropic, vLLM and SGLang, llama.cpp, Ollama, LM Studio, OpenRouter, Gemini,
 * Mistral, Groq, xAI, Bedrock, Cohere.
 */
const refusals: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|request_too_large|string_above_max_length/i,
  /maximum (?:context|prompt|model|input) (?:length|size|window)/i,
  /exceeds? (?:the |this |your )?(?:\w+(?:'s)? ){0,3}(?:context|maximum number of tokens)/i,
  /(?:prompt|input|request|messages?|conversation)(?: \w+)? (?:is|are) too (?:long|large)|too many (?:input )?tokens/i,
  /(?:greater|longer|more) than the (?:[\w']+ ){0,2}context length|context length of only/i,
  /reduce (?:the length of|your message size)/i,
];

/** Statuses that servers use for it; 429 with "too many tokens" is about tokens per minute. */
const possibleStatuses = new Set([400, 413, 422, 500]);

/** Undefined when the failure has another reason. `words`: the server's code and message. */
export function tooLongIn(status: number | undefined, words: string): TooLong | undefined {
  if (status === 413) return limitIn(words);
  if (status !== undefined && !possibleStatuses.has(status)) return undefined;
  return refusals.some((pattern) => pattern.test(words)) ? limitIn(words) : undefined;
}

const limits: readonly RegExp[] = [
  /> *(\d[\d,]*)/,
  /maximum (?:context|prompt|model|input) (?:length|size|window)[^\d]{0,20}(\d[\d,]*)/i,
  /context (?:size|length|limit|window)[^\d]{0,20}(\d[\d,]*)/i,
  /maximum number of tokens allowed[^\d]{0,5}(\d[\d,]*)/i,
  /with (\d[\d,]*) maximum context length/i,
];

function limitIn(words: string): TooLong {
  for (const pattern of limits) {
    const limit = Number(pattern.exec(words)?.[1]?.replaceAll(',', ''));
    if (limit > 0) return { limit };
  }
  return {};
}
