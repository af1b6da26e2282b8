import type { Tool } from '../../api/tool.ts';
import { textResult } from '../../tools/result.ts';
import type { StructuredOutput } from '../../tools/structure.ts';
import { askOwner } from './ask-owner.ts';

interface Args {
  readonly title: string;
  readonly text?: string;
}

const outputSchema = {
  type: 'object',
  properties: { shown: { type: 'string', description: 'Where. Absent: it could not be shown.' } },
} as const;

export const showNotification: Tool<Args> = {
  name: 'show_notification',
  title: 'Show a notification',
  description: 'Show the user a notification. Returns where it was shown.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 100 },
      text: { type: 'string', maxLength: 500 },
    },
    required: ['title'],
    additionalProperties: false,
  },
  outputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async execute({ title, text }, call): Promise<StructuredOutput<typeof outputSchema>> {
    const message = text === undefined ? title : `${title}\n${text}`;
    const answer = await askOwner({ kind: 'notification', message }, call);
    const shown = answer?.action === 'accept' ? answer.content?.['shown'] : undefined;
    return typeof shown === 'string'
      ? textResult(`Shown ${shown}.`, { shown })
      : textResult('It could not be shown anywhere.', {});
  },
};
