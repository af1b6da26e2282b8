/** Notifications that one server may send in a second; more are dropped. */
const mostPerSecond = 1_000;
/** A server that floods for longer than this is cut off. */
const longestFloodSeconds = 10;

/** Counts what comes unasked. `report` is told once in every second that is a flood, with true when it goes on too long. */
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
        const goesOn = count > mostPerSecond && time < secondEnds + 1_000;
        floodedSeconds = goesOn ? floodedSeconds + 1 : 0;
        count = 0;
        secondEnds = time + 1_000;
      }
      if (++count <= mostPerSecond) return false;
      if (count === mostPerSecond + 1) report(floodedSeconds >= longestFloodSeconds);
      return true;
    },
  };
}
