import { expect, test } from 'vitest';
import { outcomeOf, waitingCalls } from '../../../../plugins/builtin-page/page/live/waiting.ts';

const call = (id: string, tool: string, at: number, outcome?: string) => ({
  id,
  tool,
  at,
  ...(outcome !== undefined && { outcome }),
});
const question = (tool: string, at: number) => ({ tool, askedAt: new Date(at).toISOString() });

test('a call waits while a question of it is open, runs otherwise, and has its outcome in the end', () => {
  const calls = [
    call('done', 'work.ask', 1, 'ok'),
    call('first', 'work.ask', 2),
    call('other', 'work.say', 3),
    call('second', 'work.ask', 4),
    call('later', 'work.ask', 9),
  ];
  const shown = (...questions: ReturnType<typeof question>[]): string[] => {
    const waiting = waitingCalls(calls, questions);
    return calls.map((each) => outcomeOf(each, waiting));
  };
  expect(shown()).toEqual(['ok', 'runs', 'runs', 'runs', 'runs']);
  expect(shown(question('work.ask', 5))).toEqual(['ok', 'runs', 'runs', 'waits', 'runs']);
  expect(shown(question('work.ask', 3), question('work.ask', 5))).toEqual([
    'ok',
    'waits',
    'runs',
    'waits',
    'runs',
  ]);
  expect(shown(question('work.gone', 5))).toEqual(['ok', 'runs', 'runs', 'runs', 'runs']);
});
