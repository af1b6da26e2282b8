/**
 * The longest that `work` kept everything else in its process waiting, in milliseconds of the thread's own processor time:
 * unlike those of a clock, they are not the machine's, which may be busy with something else. `work` gets up to `tries`
 * tries to stay below `limit`: a collection of garbage may fall into any of them.
 */
export async function longestStall(work: () => unknown, limit: number, tries = 4): Promise<number> {
  let shortest = Infinity;
  for (let at = 0; at < tries && shortest >= limit; at++) shortest = Math.min(shortest, await stallOf(work));
  return shortest;
}

async function stallOf(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = threadMs();
  const look = (): void => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let done = false;
  /** Ends once in every turn of the event loop. */
  const follow = (): void => {
    look();
    if (!done) setImmediate(follow);
  };
  setImmediate(follow);
  try {
    await work();
  } finally {
    done = true;
    look();
  }
  return longest;
}

/** Without what other threads do, such as collecting garbage or hashing. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Milliseconds of a thread that no call may keep the others waiting: 100 where this machine reads 2 MB of JSON in 20, and
 * as much longer as it is slower.
 */
export function stallLimit(): number {
  const text = JSON.stringify(
    Array.from({ length: 40_000 }, (_, id) => ({ id, name: `n${id}`, list: [id, 'x'] })),
  );
  const times = Array.from({ length: 5 }, () => {
    const began = threadMs();
    JSON.parse(text);
    return threadMs() - began;
  });
  const usual = times.toSorted((a, b) => a - b)[2]!;
  return 100 * Math.max(1, usual / 20);
}
