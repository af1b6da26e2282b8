import { describe, expect, test } from 'vitest';
import type { InjectionMode } from '../../../host/api/agent.ts';
import { budgetFor, chooseMode } from '../../../host/tools/injection/budget.ts';
import { planInjection } from '../../../host/tools/injection/plan-injection.ts';
import { assistant, registered, sized } from '../../kit/data/injection.ts';

/** Context window, maximum number of tools with full schemas, maximum number of tools by name. */
const thresholds = [
  [8_000, 8, 53],
  [32_000, 32, 213],
  [60_000, 60, 400],
  [128_000, 128, 853],
  [200_000, 200, 1_333],
] as const;

type Cell = readonly [contextWindow: number, tools: number, mode: InjectionMode];

/** Each boundary, and one tool past it. */
const cells: readonly Cell[] = thresholds.flatMap(([window, direct, compact]): Cell[] => [
  [window, direct, 'direct'],
  [window, direct + 1, 'compact_direct'],
  [window, compact, 'compact_direct'],
  [window, compact + 1, 'discovery'],
]);

describe('with a context window of', () => {
  test.for(cells)('%i, %i tools whose schemas are not known go out in %s', ([window, tools, mode]) => {
    expect(chooseMode(budgetFor(window, tools)).mode).toBe(mode);
  });

  test.for(cells)('%i, %i tools of 200 tokens go out in %s', async ([window, count, mode]) => {
    const tools = await registered(Array.from({ length: count }, (_, at) => sized(`tool_${at}`, 200)));
    const plan = planInjection({ agent: assistant, tools, meta: [], contextWindow: window });
    expect(plan).toMatchObject({
      mode,
      contextWindow: window,
      budget: window / 5,
      toolTokens: count * 200,
      compactTokens: count * 30,
    });
  });
});

test('the budget is met exactly by the last token, and missed by one more', async () => {
  const [fits, exceeds] = [
    await registered([sized('tool', 1_600)]),
    await registered([sized('tool', 1_601)]),
  ];
  const plan = (tools: typeof fits) =>
    planInjection({ agent: assistant, tools, meta: [], contextWindow: 8_000 });
  expect(plan(fits)).toMatchObject({ mode: 'direct', toolTokens: 1_600 });
  expect(plan(exceeds)).toMatchObject({ mode: 'compact_direct', toolTokens: 1_601 });
});

test('one tool with a very long description is enough for compact', async () => {
  const tools = await registered([sized('small', 50), sized('verbose', 7_000)]);
  const { mode, reason } = planInjection({ agent: assistant, tools, meta: [], contextWindow: 32_000 });
  expect(mode).toBe('compact_direct');
  expect(reason).toBe('7,050 tokens of schemas exceed the budget of 6,400, 60 of names and lines fit');
});
