import { expect, test } from 'vitest';
import { pegboard, pegboardJson } from '../../../kit/cli.ts';
import { createHome, manifest } from '../../../kit/homes/home.ts';

interface Status {
  readonly diagnostics: readonly { readonly code: string; readonly severity: string }[];
  readonly diagnosticCounts: {
    readonly errors: number;
    readonly warnings: number;
    readonly codes: { readonly [code: string]: number };
  };
}

test('status shows the first mistakes of each kind and counts the others', async () => {
  const wrong = 300;
  await using home = await createHome({
    ...Object.fromEntries(
      Array.from({ length: wrong }, (_, at) => [
        `spaces/work/agent/tools/wrong-${at}.md`,
        manifest(`wrong-${at}`, 'command: echo\ntimout: 5'),
      ]),
    ),
    'spaces/work/agent/tools/zz-broken.md': '---\nid: [\n---\n',
  });
  const few = await pegboardJson<Status>(['status'], { home: home.path });
  const all = await pegboardJson<Status>(['status', '--all'], { home: home.path });
  expect(few.diagnosticCounts).toEqual(all.diagnosticCounts);
  const { errors, warnings, codes } = all.diagnosticCounts;
  expect(all.diagnostics).toHaveLength(errors + warnings);
  expect(Object.values(codes).toSorted((a, b) => b - a)[0]).toBe(wrong);
  // Of the many 20, and what is rare is not hidden behind them.
  for (const [code, count] of Object.entries(codes))
    expect(few.diagnostics.filter((one) => one.code === code)).toHaveLength(Math.min(count, 20));
  expect(Object.keys(codes).length).toBeGreaterThan(1);
  const { stderr } = await pegboard(['status'], { home: home.path });
  expect(stderr).toContain(`and ${wrong - 20} more like these: `);
  expect(stderr).toContain('status --all');
});
