import { createHash } from 'node:crypto';
import type { Row, Value } from './side.ts';

/** How many rows a table has, and what is in them, in whatever order. */
export interface Digest {
  readonly rows: number;
  /** Hexadecimal. */
  readonly hash: string;
}

export interface Digester {
  add(row: Row): void;
  result(): Digest;
}

const modulus = 1n << 256n;

/** The sum of the SHA-256 of all rows: two databases return rows in different orders. */
export function createDigester(): Digester {
  let rows = 0;
  let sum = 0n;
  return {
    add(row) {
      const hash = createHash('sha256');
      for (const value of row) {
        const [kind, content] = written(value);
        hash.update(`${kind}${Buffer.byteLength(content)}:`).update(content);
      }
      sum = (sum + BigInt(`0x${hash.digest('hex')}`)) % modulus;
      rows++;
    },
    result: () => ({ rows, hash: sum.toString(16).padStart(64, '0') }),
  };
}

/** A whole number is the same in a column of either kind of number. */
function written(value: Value): readonly [kind: string, content: string | Uint8Array] {
  if (value === null) return ['n', ''];
  if (typeof value === 'string') return ['t', value];
  if (typeof value === 'bigint') return ['i', String(value)];
  if (typeof value !== 'number') return ['b', value];
  if (Object.is(value, -0)) return ['r', '-0'];
  return Number.isInteger(value) ? ['i', String(BigInt(value))] : ['r', String(value)];
}
