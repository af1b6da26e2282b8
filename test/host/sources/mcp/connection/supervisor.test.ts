import { expect, test } from 'vitest';
import { systemClock } from '../../../../../host/core/async/clock.ts';
import { createMovedClock } from '../../../../kit/moved-clock.ts';
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

/** A server that can't be reached, on a clock that stands still, and how often it was tried. */
function unreachable() {
  const clock = createMovedClock();
  const state = { isUp: false, attempts: 0 };
  const supervisor = createSupervisor<Supervised>({
    name: 'away',
    timeoutMs: 60_000,
    clock,
    open: async () => {
      state.attempts++;
      if (!state.isUp) throw new Error('nothing listens');
      return { ended: new Promise(() => {}), [Symbol.asyncDispose]: async () => {} };
    },
    mayTryAgain: () => false,
    onChange: () => {},
  });
  const call = async (isByPerson = false): Promise<string> => {
    const ready = supervisor.ready(undefined, isByPerson);
    while (clock.sleeping(1_000) > 0 && supervisor.state !== 'connecting') clock.pass(1_000);
    return await ready.then(
      () => 'ready',
      (cause: Error) => cause.message,
    );
  };
  return { clock, state, supervisor, call };
}

test('after an outage in which nobody called, the first call tries and succeeds', async () => {
  const { clock, state, supervisor, call } = unreachable();
  await using _closed = supervisor;
  expect(await call()).toContain('nothing listens');
  // All that it tries by itself in an outage.
  for (let at = 0; at < 6; at++) {
    await clock.sleeper(60_000);
    const { attempts } = state;
    while (state.attempts === attempts) {
      clock.pass(1_000);
      await new Promise(setImmediate);
    }
  }
  state.isUp = true;
  expect(await call()).toBe('ready');
});

test('while the circuit is open, the call of a person tries, and closes it', async () => {
  const { state, supervisor, call } = unreachable();
  await using _closed = supervisor;
  for (let at = 0; at < 5; at++) await call();
  const { attempts } = state;
  expect(await call()).toContain('failed too often');
  expect(state.attempts).toBe(attempts);
  expect(await call(true)).toContain('nothing listens');
  expect(state.attempts).toBe(attempts + 1);
  state.isUp = true;
  expect(await call(true)).toBe('ready');
});
