import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pegboard } from '../../../kit/cli.ts';
import { createHome } from '../../../kit/homes/home.ts';
import { loadedBy } from './loaded-by.ts';

test('an address whose password has an unescaped @ or / is refused, and nothing of it is shown', async () => {
  const url = 'postgres://pegboard:hunter@Secret77/x@127.0.0.1:9/t3';
  await using home = await createHome({ 'pegboard.yaml': `state: ${url}` });
  const at = { home: home.path, env: { PGP: url } };
  const refusal = /not the address of a Postgres database\. .* write @ as %40, \/ as %2F/;
  const shown: string[] = [];
  const refuse = async (words: readonly string[], code: number): Promise<void> => {
    const result = await pegboard(words, at);
    expect(result.code, words.join(' ')).toBe(code);
    expect(result.stdout + result.stderr).toMatch(refusal);
    shown.push(result.stdout, result.stderr);
  };
  await refuse(['status'], 2);
  await refuse(['doctor'], 1);
  await home.write('pegboard.yaml', 'state: ${PGP}');
  await refuse(['schedule', 'list'], 2);
  await home.write('pegboard.yaml', '');
  expect(await pegboard(['memory', 'list'], at)).toMatchObject({ code: 0 });
  await refuse(['move', '--to', url, '--dry-run'], 2);
  const log = join(home.path, 'data/logs/host.log');
  if (existsSync(log)) shown.push(readFileSync(log, 'utf8'));
  expect(shown.join('\n')).not.toMatch(/hunter|Secret77|t3/);
});

test('a home with a file never loads the driver of Postgres or its queues', async () => {
  await using home = await createHome();
  expect(await loadedBy(home)).toEqual([]);
  expect(existsSync(join(home.path, 'data/pegboard.db'))).toBe(true);
});
