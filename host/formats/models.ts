import Type from 'typebox';
import { address, choice, closed, mapOf, text, textList, type Written } from './parts.ts';

export const models = closed(
  {
    default: Type.Optional(
      text({
        description: "The home's model: provider/model, such as openai/gpt-5 or ollama/llama3.2.",
      }),
    ),
    fallback: Type.Optional(
      textList({ description: "Models to ask, in this order, when the one before can't answer." }),
    ),
    contextWindow: Type.Optional(
      Type.Integer({
        description: "Tokens that the home's model takes; what is known of it when absent.",
        minimum: 1000,
      }),
    ),
    spendPerDay: Type.Optional(
      Type.Number({
        description:
          "US dollars that the models may cost in a day, all agents together; then they stop until the next day. An agent's own limit is spend_per_day in its file.",
        exclusiveMinimum: 0,
      }),
    ),
    providers: Type.Optional(
      mapOf(
        closed({
          base_url: Type.Optional(
            address({ description: 'Where its interface is, such as http://127.0.0.1:8000/v1.' }),
          ),
          api_key: Type.Optional(Type.String({ description: 'Its key; ${NAME} keeps it out of the file.' })),
          backend: Type.Optional(
            text({
              description:
                "The protocol that it speaks: openai_compat is OpenAI's chat completions, anthropic the Messages API with prompt caching; a plugin may bring others. Default: that of the provider that Pegboard knows by this name, else openai_compat.",
              examples: ['openai_compat', 'anthropic'],
            }),
          ),
          native_tool_use: Type.Optional(
            choice([true, false, 'auto'], {
              description:
                'true: tools are sent to it. false: they are described in the prompt, and calls are read out of the text. auto: natively until it refuses.',
            }),
          ),
          headers: Type.Optional(mapOf(Type.String(), { description: 'Sent with every request.' })),
          timeout: Type.Optional(
            Type.Number({
              description: 'Seconds until the first word of an answer.',
              exclusiveMinimum: 0,
              maximum: 86400,
              default: 300,
            }),
          ),
          contextWindow: Type.Optional(
            Type.Integer({ description: 'Tokens that its models take.', minimum: 1000 }),
          ),
          maxTools: Type.Optional(
            Type.Integer({
              description:
                'How many tools it takes in one request; 128 at OpenAI and Azure, else any number. Where there are more, the model finds them by search.',
              minimum: 16,
            }),
          ),
        }),
        {
          description:
            "Providers by name: servers with OpenAI's or Anthropic's interface, or what differs for one that Pegboard knows.",
        },
      ),
    ),
    embeddings: Type.Optional(
      closed(
        {
          model: Type.Optional(text({ description: 'provider/model, or a name at base_url.' })),
          base_url: Type.Optional(address({ description: "A server with OpenAI's /embeddings." })),
          api_key: Type.Optional(Type.String({ description: 'Its key.' })),
        },
        { description: 'Where texts become vectors, for search by meaning.' },
      ),
    ),
    transcription: Type.Optional(
      closed(
        {
          model: text({ description: 'provider/model, or a name at base_url, such as openai/whisper-1.' }),
          base_url: Type.Optional(address({ description: "A server with OpenAI's /audio/transcriptions." })),
          api_key: Type.Optional(Type.String({ description: 'Its key.' })),
        },
        { description: 'What writes down voice messages.' },
      ),
    ),
    speech: Type.Optional(
      closed(
        {
          model: text({
            description: 'provider/model, or a name at base_url, such as openai/gpt-4o-mini-tts.',
          }),
          voice: Type.Optional(text({ description: 'A voice of the model.', default: 'alloy' })),
          base_url: Type.Optional(address({ description: "A server with OpenAI's /audio/speech." })),
          api_key: Type.Optional(Type.String({ description: 'Its key.' })),
        },
        { description: 'What speaks the answers to voice messages.' },
      ),
    ),
  },
  { description: 'Language models, and how they are reached.' },
);

/** `models` of pegboard.yaml. */
export type ModelsConfig = Written<typeof models>;

const dollars = Type.Number({ description: 'US dollars for a million tokens.', minimum: 0 });

export const spend = closed(
  {
    unknown: choice(['refuse', 'count'], {
      description:
        'refuse: such a model is not asked. count: its tokens cost what price says. Without it, daily caps do not hold for such models, and Pegboard says so.',
    }),
    price: Type.Optional(closed({ input: dollars, output: dollars }, { description: 'With count.' })),
  },
  {
    description: 'What becomes of models whose price nobody knows. Those on this machine cost nothing.',
    if: { properties: { unknown: { const: 'count' } } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's keyword
    then: { required: ['price'] },
  },
);
export type WrittenSpend = Written<typeof spend>;
