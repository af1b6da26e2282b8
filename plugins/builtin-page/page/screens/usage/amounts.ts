import type { UsageSum } from '../../../usage/wire.ts';

/** "$0.0123", "$4.20"; "?" where no price is known. */
export function money({ cost, calls, unpriced }: Pick<UsageSum, 'cost' | 'calls' | 'unpriced'>): string {
  if (calls > 0 && unpriced === calls) return '?';
  return `$${cost.toFixed(cost > 0 && cost < 1 ? 4 : 2).replace(/(\.\d\d+?)0+$/, '$1')}`;
}

/** "812", "12.4k", "3.1M" */
export function tokens(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** What is compared where costs are, and where none are known. */
export const amountOf =
  (byCost: boolean) =>
  ({ cost, input, output }: Pick<UsageSum, 'cost' | 'input' | 'output'>): number =>
    byCost ? cost : input + output;
