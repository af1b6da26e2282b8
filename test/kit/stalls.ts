/** Milliseconds of a thread that no call may keep the others waiting, on a machine that reads 10 MB of JSON in them. */
const limitMs = 100;

/**
 * The longest that `work` kept everything else in its process waiting, as a share of what it may: 100 ms of this thread's
 * own processor time, or what the thread needs to read 10 MB of JSON where that is more. Neither what else the machine does
 * nor how fast it is decides. `work` gets up to four tries to stay below 1, since a collection of garbage may fall into any
 * of them; what is compared with is measured anew beside each.
 */
export async function longestStall(work: () => unknown): Promise<number> {
  let shortest = Infinity;
  for (let at = 0; at < 4 && shortest >= 1; at++) {
    const longest = await stallOf(work);
    if (at > 0 || !reading) reading = readingMs();
    shortest = Math.min(shortest, longest / Math.max(limitMs, reading));
  }
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

let reading: number | undefined;
let message: string | undefined;

function readingMs(): number {
  message ??= JSON.stringify(
    Array.from({ length: 200_000 }, (_, id) => ({ id, name: `n${id}`, list: [id, 'x'] })),
  );
  const began = threadMs();
  JSON.parse(message);
  return threadMs() - began;
}
