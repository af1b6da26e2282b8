import { expect, test } from 'vitest';
import { createKeyedQueue } from '../../../../host/core/async/keyed-queue.ts';

test('work with the same key runs in order and never concurrently, work with other keys does', async () => {
  const queue = createKeyedQueue();
  const log: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = queue.run('a', async () => {
    log.push('a1 begins');
    await gate.promise;
    log.push('a1 ends');
    throw new Error('failed');
  });
  const second = queue.run('a', async () => void log.push('a2'));
  await queue.run('b', async () => void log.push('b'));
  gate.resolve();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(log).toEqual(['a1 begins', 'b', 'a1 ends', 'a2']);
});

test('work that is cancelled while it waits is skipped at once, and the queue continues', async () => {
  const queue = createKeyedQueue();
  const gate = Promise.withResolvers<void>();
  const cancel = new AbortController();
  const log: string[] = [];
  const first = queue.run('a', () => gate.promise);
  const second = queue.run('a', async () => void log.push('second'), cancel.signal);
  const third = queue.run('a', async () => void log.push('third'));
  cancel.abort(new Error('no longer wanted'));
  await expect(second).rejects.toThrow('no longer wanted');
  expect(log).toEqual([]);
  gate.resolve();
  await Promise.all([first, third]);
  expect(log).toEqual(['third']);
});
