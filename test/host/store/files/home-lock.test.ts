import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createUnusedHome } from '../../../kit/homes/home.ts';

const lockOnce = `
  const { lockHome } = await import(process.argv[1]);
  process.stdout.write('ready ');
  process.stdin.once('data', () => lockHome(process.argv[2]).then(
    () => process.stdout.write('holds it'),
    () => process.stdout.write('refused'),
  ));
`;

/** A process that tries to lock the home when told to, and lives on until it is killed. */
function contender(path: string) {
  const module = new URL('../../../../host/store/files/home-lock.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', lockOnce, module, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const output = child.stdout.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>;
  return {
    ready: async () => void (await output.next()),
    async lock() {
      child.stdin.write('now');
      return (await output.next()).value as string;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

test.for([
  ['a free home', undefined],
  ["a killed host's home", { owner: `${hostname()}/999999999/1`, since: '2026-01-01T00:00:00.000Z' }],
] as const)('of several processes that lock %s at the same moment one holds it', async ([, left]) => {
  for (let round = 0; round < 3; round++) {
    await using home = await createUnusedHome();
    if (left) await home.write('data/host.lock', JSON.stringify(left));
    await using all = new AsyncDisposableStack();
    const contenders = Array.from({ length: 5 }, () => all.use(contender(join(home.path, 'data/host.lock'))));
    await Promise.all(contenders.map((one) => one.ready()));
    const outcomes = await Promise.all(contenders.map((one) => one.lock()));
    expect(outcomes.toSorted()).toEqual(['holds it', 'refused', 'refused', 'refused', 'refused']);
  }
});
