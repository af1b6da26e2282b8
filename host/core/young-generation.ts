import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Size of the space for new objects, in bytes. With the initial 1 MB, half of what a call needs survives a collection,
 * and a busy host spends a quarter of its processor time copying it. V8 reserves a few bytes of it.
 */
const wantedBytes = 4 * 1024 * 1024 * 0.99;
/** V8 makes the room smaller again in a host that idles. */
const lookAgainMs = 30_000;

/** Collections within a second that make a host busy: some 600 calls. Its start, and a client's first requests, take fewer. */
const busyFrom = 30;

/** Enlarges the space for new objects while the host is busy. Applies to the whole process. */
export function growYoungGenerationWhenBusy(): void {
  let recent: readonly number[] = [];
  const collected = new PerformanceObserver((list) => {
    const now = performance.now();
    const started = list.getEntries().map(({ startTime }) => startTime);
    recent = [...recent, ...started].filter((at) => at > now - 1_000);
    const hasRoom = roomForNew() >= wantedBytes;
    setGrowth(recent.length >= busyFrom && !hasRoom ? 2 : 1);
    if (hasRoom) collected.disconnect();
  });
  const watch = (): void => {
    if (roomForNew() < wantedBytes) collected.observe({ entryTypes: ['gc'] });
  };
  watch();
  setInterval(watch, lookAgainMs).unref();
}

/** How many times as large V8 makes the room at once; `bin/pegboard.cjs` begins with 1. */
const setGrowth = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

function roomForNew(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space ? space.space_used_size + space.space_available_size : wantedBytes;
}
