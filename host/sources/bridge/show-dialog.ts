import type { Tool } from '../../api/tool.ts';
import { textResult } from '../../tools/result.ts';
import type { StructuredOutput } from '../../tools/structure.ts';
import { askOwner, withoutAnswer } from './ask-owner.ts';

interface Args {
  readonly title: string;
  readonly text?: string;
  readonly choices: readonly string[];
}

const outputSchema = {
  type: 'object',
  properties: { choice: { type: 'string', description: 'Absent: no button was pressed.' } },
} as const;

export const showDialog: Tool<Args> = {
  name: 'show_dialog',
  title: 'Show a dialog',
  description:
    'Show the user a dialog with buttons, in their browser or wherever they are, and return which one they press.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      text: { type: 'string', maxLength: 4000, description: 'Shown below the title' },
      choices: {
        type: 'array',
        items: { type: 'string', minLength: 1, maxLength: 100 },
        minItems: 1,
        maxItems: 6,
        uniqueItems: true,
        description: 'The labels of the buttons',
      },
    },
    required: ['title', 'choices'],
    additionalProperties: false,
  },
  outputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async execute({ title, text, choices }, call): Promise<StructuredOutput<typeof outputSchema>> {
    const message = text === undefined ? title : `${title}\n${text}`;
    const schema = {
      type: 'object',
      properties: { choice: { type: 'string', title: 'Choice', enum: [...choices] } },
      required: ['choice'],
    };
    const answer = await askOwner({ kind: 'dialog', message, schema }, call);
    const choice = answer?.action === 'accept' ? answer.content?.['choice'] : undefined;
    return typeof choice === 'string' && choices.includes(choice)
      ? textResult(choice, { choice })
      : textResult(withoutAnswer(answer, 'No button was pressed.'), {});
  },
};
