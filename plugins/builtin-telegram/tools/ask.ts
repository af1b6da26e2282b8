import { defineTool, type Tool } from 'pegboard';

/** `structured.rejected` of the result is true when the user declined, for hooks and other plugins. */
export function askTool(): Tool {
  return defineTool({
    name: 'telegram_ask',
    description:
      'Ask the user in this chat and wait for the answer: with choices as buttons, otherwise any text. For decisions, such as before something that can’t be undone.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['question'],
      properties: {
        question: { type: 'string', minLength: 1 },
        choices: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 20 },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['rejected'],
      properties: { answer: {}, rejected: { type: 'boolean' }, note: { type: 'string' } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    async execute({ question, choices = [] }, call) {
      const options = [...new Set(choices)];
      const property = { type: 'string', ...(options.length > 0 && { enum: options }) };
      const schema = { type: 'object', properties: { answer: property }, required: ['answer'] };
      const answer = await call.ask({ message: question, schema }, call.signal);
      if (answer.action === 'accept')
        return { answer: answer.content?.['answer'], rejected: isNo(answer.content?.['answer']) };
      return answer.action === 'decline'
        ? { rejected: true, note: 'The user declined. Do not go on with it, and do not ask the same again.' }
        : { rejected: false, note: 'The user did not answer in time.' };
    },
  });
}

const isNo = (answer: unknown): boolean =>
  typeof answer === 'string' && /^\s*(no|nein|don'?t|stop|cancel|reject)\b/i.test(answer);
