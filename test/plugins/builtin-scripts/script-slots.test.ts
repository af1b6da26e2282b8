import { expect, test } from 'vitest';
import type { ToolCall } from '../../../host/api/tool.ts';
import { createScriptSlots } from '../../../plugins/builtin-scripts/script-slots.ts';

const newCall = (): ToolCall =>
  ({ tool: { id: 'run_script' }, signal: new AbortController().signal }) as unknown as ToolCall;

test('32 scripts wait for a person; the next one is refused its question until one of them is answered', async () => {
  const slots = createScriptSlots();
  const answers: (() => void)[] = [];
  const wait = (): Promise<string> =>
    new Promise((resolve) => {
      answers.push(() => resolve('answered'));
    });
  const waiting: Promise<string>[] = [];
  for (let at = 0; at < 32; at++) waiting.push((await slots.take(newCall(), 4)).pausedFor(wait));
  using next = await slots.take(newCall(), 4);
  await expect(next.pausedFor(wait)).rejects.toMatchObject({
    code: 'PEG_BUSY',
    message: expect.stringContaining('Answer or decline'),
  });
  answers[0]!();
  expect(await waiting[0]).toBe('answered');
  const asked = next.pausedFor(wait);
  answers.at(-1)!();
  expect(await asked).toBe('answered');
});
