import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SearchedTool } from '../../plugins/builtin-search/index/fields.ts';
import { cpuTimed } from '../kit/statistics.ts';
import type { Query } from './collection.ts';
import { measure } from './measures.ts';
import { findIn, indexOf } from './ours.ts';

export interface Scale {
  readonly tools: number;
  /** Milliseconds of processor time. */
  readonly built: number;
  readonly megabytes: number;
  /** Milliseconds, of short queries. */
  readonly p95: number;
  /** Milliseconds of processor time for removing and adding a tenth of the tools. */
  readonly changed: number;
}

const maxShortWords = 5;

/** The cost of `count` tools. `tools` are repeated if there are fewer. */
export async function scaleOf(
  tools: ReadonlyMap<string, SearchedTool>,
  queries: readonly Query[],
  count: number,
): Promise<Scale> {
  const many = manyOf(tools, count);
  const collect = garbageCollector();
  collect();
  const before = heldBytes();
  let index = indexOf(new Map());
  const built = await cpuTimed(() => (index = indexOf(many)));
  const short = queries.filter(({ text }) => text.split(/\s+/).length <= maxShortWords);
  measure(short, findIn(index));
  const { p95 } = measure(short, findIn(index));
  collect();
  const megabytes = (heldBytes() - before) / 1e6;
  const some = [...many].slice(0, count / 10);
  const changed = await cpuTimed(() => {
    for (const [id] of some) index.remove(id);
    for (const [id, tool] of some) index.add(id, tool);
    for (const _ of index.settle());
  });
  return { tools: many.size, built, megabytes, p95, changed };
}

function manyOf(tools: ReadonlyMap<string, SearchedTool>, count: number): Map<string, SearchedTool> {
  const many = new Map<string, SearchedTool>();
  for (let copy = 0; many.size < count; copy++) {
    for (const [id, tool] of tools) {
      if (many.size === count) break;
      many.set(`${id}-${copy}`, copy === 0 ? tool : { ...tool, name: `${tool.name}_${copy}` });
    }
  }
  return many;
}

function heldBytes(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
