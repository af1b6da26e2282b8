import { expect, test } from 'vitest';
import type { Answer, Question } from '../../../host/api/ask.ts';
import { askUser } from '../../../host/meta/ask-user.ts';
import { textOf } from '../../../host/tools/result.ts';
import { kernel } from '../../kit/dispatch.ts';

async function askWith(answer: Answer | undefined, args: object) {
  const { call } = await kernel([askUser()]);
  const seen: Question[] = [];
  const ask = async (question: Question): Promise<Answer> => {
    seen.push(question);
    return answer!;
  };
  return { result: await call('ask_user', args, answer ? { ask } : {}), seen };
}

test('the question goes to the person as a form, and the answer to the model as text', async () => {
  const { result, seen } = await askWith(
    { action: 'accept', content: { answer: 'staging' } },
    { question: 'Where to?', choices: ['staging', 'production', 'staging'] },
  );
  expect(result).toEqual({
    content: [{ type: 'text', text: 'staging' }],
    structured: { answered: true, answer: 'staging' },
  });
  expect(seen).toMatchObject([
    {
      message: 'Where to?',
      schema: {
        type: 'object',
        properties: { answer: { type: 'string', title: 'Answer', enum: ['staging', 'production'] } },
        required: ['answer'],
      },
    },
  ]);
});

test('without choices any text is an answer', async () => {
  const { seen } = await askWith(
    { action: 'accept', content: { answer: 'Ada' } },
    { question: 'Your name?' },
  );
  expect(seen[0]?.schema).toMatchObject({ properties: { answer: { type: 'string', title: 'Answer' } } });
});

test.for([
  [{ action: 'decline' }, /The user declined to answer\. Don't ask the same again/],
  [{ action: 'cancel' }, /dismissed the question/],
  [undefined, /^Nobody is available to answer\. Don't ask again/],
] as const)('%j is passed on to the model, and is not a failure', async ([answer, text]) => {
  const { result } = await askWith(answer, { question: 'Where to?' });
  expect(result.error).toBeUndefined();
  expect(textOf(result)).toMatch(text);
});
