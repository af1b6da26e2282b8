/** Maximum notifications of one server in a second; more are dropped. */
const maxPerSecond = 1_000;
/** A server that floods for longer than this is cut off. */
const maxFloodSeconds = 10;

/** Counts notifications. Calls `report` once in each second of a flood, with true when it lasts too long. */
export function createFloodGuard(
  report: (persistent: boolean) => void,
  now: () => number = () => performance.now(),
): { isOver(): boolean } {
  let secondEnds = 0;
  let count = 0;
  let floodedSeconds = 0;
  return {
    isOver() {
      const time = now();
      if (time >= secondEnds) {
        const goesOn = count > maxPerSecond && time < secondEnds + 1_000;
        floodedSeconds = goesOn ? floodedSeconds + 1 : 0;
        count = 0;
        secondEnds = time + 1_000;
      }
      if (++count <= maxPerSecond) return false;
      if (count === maxPerSecond + 1) report(floodedSeconds >= maxFloodSeconds);
      return true;
    },
  };
}
