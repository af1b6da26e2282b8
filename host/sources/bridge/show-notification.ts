import type { Tool } from '../../api/tool.ts';
import { askOwner } from './ask-owner.ts';

interface Args {
  readonly title: string;
  readonly text?: string;
}

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
  annotations: { readOnlyHint: true, openWorldHint: false },
  async execute({ title, text }, call) {
    const message = text === undefined ? title : `${title}\n${text}`;
    const answer = await askOwner({ kind: 'notification', message }, call);
    const shown = answer?.action === 'accept' ? answer.content?.['shown'] : undefined;
    return typeof shown === 'string' ? `Shown ${shown}.` : 'It could not be shown anywhere.';
  },
};
