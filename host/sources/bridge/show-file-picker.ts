import type { PickedFile } from '../../api/ask.ts';
import type { Tool } from '../../api/tool.ts';
import { askOwner, withoutAnswer } from './ask-owner.ts';
import { readPicked } from './read-picked.ts';

interface Args {
  readonly title: string;
  readonly multiple?: boolean;
}

export const showFilePicker: Tool<Args> = {
  name: 'show_file_picker',
  title: 'Let the user choose files',
  description:
    'Let the user choose files of their own computer, and return them: text and images as content, all as links to copies.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200, description: 'What the files are for' },
      multiple: { type: 'boolean', default: false },
    },
    required: ['title'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async execute({ title, multiple = false }, call) {
    const answer = await askOwner({ kind: 'files', message: title, multiple }, call);
    const files = answer?.action === 'accept' ? (answer.content?.['files'] as readonly PickedFile[]) : [];
    if (files.length === 0) return withoutAnswer(answer, 'No file was chosen.');
    const read = await Promise.all(files.slice(0, multiple ? files.length : 1).map(readPicked));
    call.recordOrigins?.(files.map(({ name }) => ({ kind: 'file', what: name })));
    return { content: read.flat() };
  },
};
