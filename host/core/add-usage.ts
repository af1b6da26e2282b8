import type { ModelUsage } from '../api/model.ts';

/** Unknown figures of one call count as zero. A figure that is unknown for both stays unknown. */
export function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  const sum = (key: 'cached' | 'cost'): { [key: string]: number } =>
    a[key] === undefined && b[key] === undefined ? {} : { [key]: (a[key] ?? 0) + (b[key] ?? 0) };
  return { input: a.input + b.input, output: a.output + b.output, ...sum('cached'), ...sum('cost') };
}
