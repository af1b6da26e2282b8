import type { DataSize } from '../store/retention/data-size.ts';
import { shortSize } from '../core/text/short-size.ts';

/** "12.3 MB: database 10 MB, artifacts 2.3 MB", the largest first. */
export function describeSize({ total, ...parts }: DataSize): string {
  const named = Object.entries(parts)
    .filter(([, bytes]) => bytes > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, bytes]) => `${name} ${shortSize(bytes)}`);
  return named.length === 0 ? 'nothing yet' : `${shortSize(total)}: ${named.join(', ')}`;
}
