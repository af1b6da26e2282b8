import type { Question } from '../api/ask.ts';
import type { Tool } from '../api/tool.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { textResult } from '../tools/result.ts';
import type { StructuredOutput } from '../tools/structure.ts';

interface Args {
  readonly question: string;
  readonly choices?: readonly string[];
}

const outputSchema = {
  type: 'object',
  required: ['answered'],
  properties: { answered: { type: 'boolean' }, answer: { type: 'string' } },
} as const;

/** Returns the answer as text. No answer is a normal result, not an error: the model should not try to fix it. */
export function askUser(): Tool<Args> {
  return {
    name: 'ask_user',
    description: 'Ask the user a question and wait for the answer. For what only they can know or decide.',
    parameters: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1 },
        choices: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 20,
          description: 'The answers to choose from; absent: any text',
        },
      },
      required: ['question'],
      additionalProperties: false,
    },
    outputSchema,
    annotations: { readOnlyHint: true, openWorldHint: false },
    // A choice is the model's own text.
    relays: ({ answer = '' }: { readonly answer?: string } = {}, { choices = [] }: Args) =>
      choices.length > 0 ? [] : [answer],
    async execute(args, call): Promise<StructuredOutput<typeof outputSchema>> {
      const answer = await call.ask(toQuestion(args), call.signal);
      if (answer.unasked)
        return textResult(
          "Nobody is available to answer. Don't ask again: continue with what you know, and say what you assumed.",
          { answered: false },
        );
      if (answer.action === 'accept') {
        const said = answer.content?.['answer'];
        const text = typeof said === 'string' ? said : toJson(said ?? 'yes');
        return textResult(text, { answered: true, answer: text });
      }
      const what =
        answer.action === 'decline' ? 'declined to answer' : 'dismissed the question without an answer';
      return textResult(
        `The user ${what}. Don't ask the same again: continue without it, or say why you need it.`,
        { answered: false },
      );
    },
  };
}

function toQuestion({ question, choices = [] }: Args): Question {
  const distinct = [...new Set(choices)];
  return {
    message: question,
    schema: {
      type: 'object',
      properties: {
        answer: { type: 'string', title: 'Answer', ...(distinct.length > 0 && { enum: distinct }) },
      },
      required: ['answer'],
    },
  };
}
