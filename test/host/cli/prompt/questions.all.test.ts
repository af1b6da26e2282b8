import { describe, expect, test } from 'vitest';
import { agreeing, answered, declining, expectOneAnswerEach, onSystemNode } from './asking.ts';

describe("a command that asks on a true terminal, with the system's Node", () => {
  test.each(declining)('does nothing after %s', async (_what, pressed) => {
    expect(await answered(pressed, onSystemNode)).toBe('3 not run');
  });

  test.each(agreeing)('goes on after %s', async (_what, pressed) => {
    expect(await answered(pressed, onSystemNode)).toBe('0 ran');
  });

  test('several times takes each answer for one question only', () => expectOneAnswerEach(onSystemNode));
});
