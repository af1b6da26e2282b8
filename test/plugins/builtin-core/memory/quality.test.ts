import { expect, test } from 'vitest';
import { readConversations, readForeignQuestions } from '../../../../bench/memory/conversations.ts';
import { measure, shareOfNothing } from '../../../../bench/memory/measure.ts';
import { pegboard, plain } from '../../../../bench/memory/sides.ts';

const conversations = readConversations();
const apart = conversations.map((each) => [each]);

test('past messages are found better than by plain full text, and nearly as well among all conversations', async () => {
  const each = await measure(apart, { plain, pegboard }, { runs: 1 });
  const together = await measure([conversations], { plain, pegboard }, { runs: 1 });
  expect(each.pegboard.all.at10).toBeGreaterThan(1.15 * each.plain.all.at10);
  expect(each.pegboard.all.packed).toBeGreaterThan(1.15 * each.plain.all.packed);
  expect(together.pegboard.all.at10).toBeGreaterThan(1.15 * together.plain.all.at10);
  expect(together.pegboard.all.at10).toBeGreaterThan(each.pegboard.all.at10 - 0.03);
});

test('most questions about other matters are answered with nothing', async () => {
  const foreign = readForeignQuestions();
  expect(await shareOfNothing(apart, foreign, pegboard)).toBeGreaterThan(0.8);
  expect(await shareOfNothing([conversations], foreign, pegboard)).toBeGreaterThan(0.6);
});
