import { expect, test, vi } from 'vitest';
import { untilAborted } from '../../../../host/core/async/deadline.ts';

test.each(['before', 'while'])(
  'work that fails after its signal aborted, %s it was awaited, leaves no unhandled rejection',
  async (when) => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const stop = new AbortController();
    const reason = new Error('stopped');
    if (when === 'before') stop.abort(reason);
    const work = Promise.withResolvers<never>();
    const ended = untilAborted(work.promise, stop.signal);
    if (when === 'while') stop.abort(reason);
    await expect(ended).rejects.toBe(reason);
    work.reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  },
);
