/** Bits after the 48 of the time: 4 for the version, 2 for the variant, and 74 that count. */
const countingBits = 74n;
let last = 0n;

/**
 * A UUID of version 7 (RFC 9562). Those of one process grow, also within a millisecond: jobs of one transaction run in the
 * order of their ids.
 */
export function uuid7(): string {
  const now = BigInt(Date.now()) << countingBits;
  const start = BigInt(Math.floor(Math.random() * 2 ** 30)) << 20n;
  last = last < now ? now | start : last + 1n;
  const time = last >> countingBits;
  const high = (last >> 62n) & 0xfffn;
  const low = last & ((1n << 62n) - 1n);
  const hex = ((time << 80n) | (7n << 76n) | (high << 64n) | (2n << 62n) | low)
    .toString(16)
    .padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
