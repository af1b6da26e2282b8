import { describe, expect, test } from 'vitest';
import { fitWindow } from '../../../host/agent/fit-window.ts';
import { repairHistory } from '../../../host/agent/models/wire/repair-history.ts';
import type { ModelMessage } from '../../../host/api/model.ts';

const system: ModelMessage = { role: 'system', text: 'You help.' };
const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const call = (id: string): ModelMessage => ({
  role: 'assistant',
  text: '',
  toolCalls: [{ id, name: 'read', arguments: '{}' }],
});
const result = (id: string, text: string): ModelMessage => ({
  role: 'tool',
  callId: id,
  name: 'read',
  content: [{ type: 'text', text }],
});
const said = (text: string): ModelMessage => ({ role: 'assistant', text });
const turn = (id: string, length: number): ModelMessage[] => [
  user(`read ${id}`),
  call(id),
  result(id, `${id} `.repeat(length / 3)),
  said(`It says ${id}.`),
];
const textOf = (message: ModelMessage | undefined): string =>
  message?.role === 'tool' && message.content[0]?.type === 'text' ? message.content[0].text : '';
const fit = (messages: readonly ModelMessage[], contextWindow: number, fresh = messages.length) =>
  fitWindow(messages, { contextWindow, fresh, tools: [] });

describe('messages in a context window', () => {
  test('stay the very same when they fit', () => {
    const messages = [system, ...turn('aa', 3_000), user('and now?')];
    expect(fit(messages, 10_000)).toBe(messages);
  });

  test('lose the text of old results first, the oldest first, and only as much as is needed', () => {
    const messages = [system, ...turn('aa', 30_000), ...turn('bb', 30_000), user('and now?')];
    const fitted = fit(messages, 12_000);
    expect(fitted).toHaveLength(messages.length);
    expect(textOf(fitted[3]).length).toBeLessThan(1_000);
    expect(textOf(fitted[3])).toMatch(/left out; call the tool again if you need it/);
    expect(fitted[7]).toBe(messages[7]);
  });

  test('keep more of a result that the model has not seen yet', () => {
    const messages = [
      system,
      ...turn('aa', 30_000),
      user('and now?'),
      call('bb'),
      result('bb', 'b'.repeat(60_000)),
    ];
    const fitted = fit(messages, 4_000, 6);
    expect(textOf(fitted[3]).length).toBeLessThan(1_000);
    expect(textOf(fitted[7]).length).toBeGreaterThan(5_000);
  });

  test('lose their oldest turns when that is not enough, never the last message and never half a turn', () => {
    const turns = Array.from({ length: 40 }, (_, at) => turn(`t${at}`, 900)).flat();
    const fitted = fit([system, ...turns, user('and now?')], 1_500);
    expect(fitted[0]).toBe(system);
    expect(fitted.at(-1)).toEqual(user('and now?'));
    expect(fitted[1]).toMatchObject({ role: 'user' });
    expect(fitted.length).toBeLessThan(100);
    expect(repairHistory(fitted)).toBe(fitted);
  });

  test('are as small as can be when the last message alone is too big', () => {
    const messages = [system, ...turn('aa', 900), user('x'.repeat(100_000))];
    expect(fit(messages, 1_000)).toEqual([system, messages.at(-1)]);
  });
});
