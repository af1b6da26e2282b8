import { describe, expect, test } from 'vitest';
import type { ModelFailureData } from '../../../../../host/agent/models/failure.ts';
import type { PegboardError } from '../../../../../host/core/errors.ts';
import { ask, modelAt } from '../../../../kit/servers/scripted-model-client.ts';
import { startScriptedModel, type ScriptedFaults } from '../../../../../host/testing/index.ts';

async function failureOf(faults: ScriptedFaults): Promise<PegboardError> {
  await using server = await startScriptedModel(() => ({ faults }));
  return await ask(modelAt(server.baseUrl, { maxTokens: 500 })).then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown as PegboardError,
  );
}

describe('a request that is too long is distinguished from other failures, with the limit if stated, at', () => {
  const said: readonly (readonly [string, number, string, (number | undefined)?, string?])[] = [
    [
      'OpenAI',
      400,
      "This model's maximum context length is 128,000 tokens. However, your messages resulted in 130000 tokens.",
      128_000,
      'context_length_exceeded',
    ],
    [
      'OpenAI, newer',
      400,
      'Your input exceeds the context window of this model. Please adjust your input and try again.',
    ],
    ['Azure', 400, 'Please reduce the length of the messages.', undefined, 'context_length_exceeded'],
    ['Anthropic', 400, 'prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    [
      'Anthropic, with the answer',
      400,
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      200_000,
    ],
    ['Anthropic, by bytes', 413, 'Request exceeds the maximum size'],
    [
      'vLLM',
      400,
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion).",
      4096,
    ],
    [
      'vLLM, the prompt alone',
      400,
      'The decoder prompt (length 5000) is longer than the maximum model length of 4096.',
      4096,
    ],
    ['SGLang', 400, "The input (5000 tokens) is longer than the model's context length (4096 tokens).", 4096],
    [
      'llama.cpp',
      400,
      'the request exceeds the available context size (4096 tokens), try increasing it',
      4096,
    ],
    ['Ollama', 400, 'the input length exceeds the context length'],
    [
      'LM Studio',
      400,
      'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      4096,
    ],
    [
      'OpenRouter',
      400,
      "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (39000 of text input, 1000 in the output).",
      32_768,
    ],
    [
      'Gemini',
      400,
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      1_048_576,
    ],
    [
      'Mistral',
      400,
      'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      32_768,
    ],
    [
      'Groq',
      413,
      'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.',
    ],
    [
      'xAI',
      400,
      "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
      131_072,
    ],
    ['Bedrock', 400, 'Input is too long for requested model.'],
    ['Cohere', 400, 'too many tokens: size limit exceeded'],
  ];
  test.for(said)('%s', async ([, status, message, limit, code]) => {
    const { code: own, data } = await failureOf({ status, message, ...(code !== undefined && { code }) });
    const { tooLong } = data as ModelFailureData;
    expect({ own, tooLong }).toEqual({
      own: 'PEG_MODEL_REFUSED',
      tooLong: limit === undefined ? {} : { limit },
    });
  });

  test.for([
    ['tokens a minute', 429, 'Too many tokens, please wait before trying again.'],
    ['a bad parameter', 400, "Invalid value for 'tools[0].function.name': string too long."],
    ['a missing model', 404, 'The model `long-context` does not exist'],
    ['a wrong key', 401, 'Incorrect API key provided'],
  ] as const)('not for %s', async ([, status, message]) => {
    expect((await failureOf({ status, message })).data).not.toHaveProperty('tooLong');
  });
});
