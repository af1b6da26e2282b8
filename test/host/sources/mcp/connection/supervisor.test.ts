import { expect, test } from 'vitest';
import { systemClock } from '../../../../../host/core/async/clock.ts';
import { createSupervisor, type Supervised } from '../../../../../host/sources/mcp/connection/supervisor.ts';

test('an attempt that a call has begun is waited for when it is closed in the same moment', async () => {
  const opening = Promise.withResolvers<never>();
  let isOver = false;
  const supervisor = createSupervisor<Supervised>({
    name: 'slow',
    timeoutMs: 60_000,
    clock: systemClock,
    open: (signal) => {
      signal.addEventListener('abort', () =>
        setImmediate(() => {
          isOver = true;
          opening.reject(signal.reason as Error);
        }),
      );
      return opening.promise;
    },
    mayTryAgain: () => false,
    onChange: () => {},
  });
  const ready = supervisor.ready();
  ready.catch(() => {});
  expect(supervisor.state).toBe('connecting');
  await supervisor[Symbol.asyncDispose]();
  expect(isOver).toBe(true);
  expect(supervisor.state).toBe('stopped');
  await expect(ready).rejects.toMatchObject({ code: 'PEG_SERVER_UNAVAILABLE' });
});
