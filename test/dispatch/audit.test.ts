import { expect, test } from 'vitest';
import type { AuditLine } from '../../host/store/audit.ts';
import { pegboard } from '../kit/cli.ts';
import { createHome, manifest } from '../kit/home.ts';

test('every call leaves a line that says who did what, who allowed it and how it ended, and no value', async () => {
  await using home = await createHome({
    'spaces/s/agent/tools/hi.md': manifest(
      'hi',
      'confirm: true\nparameters: [{ name: who, type: string, description: Who, required: true }]\ncommand: echo hi {{who}}',
    ),
  });
  const call = (...args: string[]) => pegboard(['call', ...args], { home: home.path });
  await call('hi', 'who=somebody-private', '--yes');
  await call('hi', 'who=somebody-private');
  await call('hi');
  await call('nowhere');
  const lines = (await home.read('data/logs/audit.jsonl')).trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as AuditLine);
  expect(entries.map(({ tool, outcome, consent }) => [tool, outcome, consent])).toEqual([
    ['s.hi', 'ok', 'not asked, as configured'],
    ['s.hi', 'PEG_NOBODY_TO_ASK', undefined],
    ['s.hi', 'PEG_INVALID_ARGUMENTS', undefined],
    ['nowhere', 'PEG_TOOL_NOT_FOUND', undefined],
  ]);
  expect(entries[0]).toMatchObject({
    caller: 'cli',
    args: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
  expect(entries[0]!.args).toBe(entries[1]!.args);
  expect(lines.join()).not.toContain('somebody-private');
  const shown = await pegboard(['logs', '--audit', '--lines', '1'], { home: home.path });
  expect(shown.stdout.trim()).toBe(lines.at(-1));
});
