import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createHomeLogger, logFileOf } from '../../../host/core/log.ts';
import { createHome } from '../../kit/homes/home.ts';

test('what is logged is there when the logger is closed, in order, and redacted', async () => {
  await using home = await createHome();
  {
    using log = createHomeLogger(home.path, (text) => text.replaceAll('hunter2', '[secret]'));
    log.info('first', { token: 'hunter2' });
    log.child('part').error('second', { cause: new Error('broken') });
  }
  const lines = (await home.read('data/logs/host.log')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 'info', name: 'host', message: 'first', token: '[secret]' }),
    expect.objectContaining({ name: 'host:part', cause: expect.objectContaining({ message: 'broken' }) }),
  ]);
});

test('no field takes the place of what every line has', async () => {
  await using home = await createHome();
  {
    using log = createHomeLogger(home.path, (text) => text);
    log.warn('it is uncertain', { message: 41, level: 'none', name: 'x', time: 0 });
  }
  const line = JSON.parse(await home.read('data/logs/host.log')) as object;
  expect(line).toMatchObject({ level: 'warn', name: 'host', message: 'it is uncertain' });
});

test('a home that was removed is not made again by its log', async () => {
  const home = await createHome();
  await rm(home.path, { recursive: true });
  {
    using log = createHomeLogger(home.path, (text) => text);
    log.error('nobody reads this');
  }
  expect(existsSync(logFileOf(home.path))).toBe(false);
  expect(existsSync(home.path)).toBe(false);
});
