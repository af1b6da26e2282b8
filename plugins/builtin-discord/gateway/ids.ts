/** Milliseconds since 1970 when Discord began to count. Its ids are times, with 22 bits more. */
const epochMs = 1_420_070_400_000;
const timeOf = (id: string): number => Number(BigInt(id) >> 22n) + epochMs;
const idAt = (timeMs: number): string => String(BigInt(timeMs - epochMs) << 22n);

/** Ids are numbers too large for JavaScript. */
export const laterOf = (id: string, other = '0'): string => (BigInt(id) > BigInt(other) ? id : other);

/** Milliseconds: what is older is not answered by a bot that has never run here. */
const maxAgeMs = 86_400_000;
/** Milliseconds by which a message may be delivered after another one that was written later. */
const maxDisorderMs = 60_000;

/** The id after which messages may have been missed. `seen`: of the last message; undefined for a bot that never ran. */
export function whereToCatchUp(seen: string | undefined): string {
  const yesterday = Date.now() - maxAgeMs;
  if (seen === undefined) return idAt(yesterday);
  // The host recognises what it has got already, unless that is old.
  return timeOf(seen) < yesterday ? seen : idAt(timeOf(seen) - maxDisorderMs);
}
