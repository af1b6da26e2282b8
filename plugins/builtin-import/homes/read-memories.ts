import type { ForeignMemory, Found, LeftOut } from './foreign-home.ts';
import { whyNotRemembered } from './suspicious.ts';

/** Those of `memories` that may be remembered. */
export function readMemories(memories: readonly ForeignMemory[]): Found<ForeignMemory> {
  const leftOut: LeftOut[] = [];
  const taken = memories.filter(({ text, from }) => {
    const why = whyNotRemembered(text);
    if (why !== undefined) leftOut.push({ what: 'memory', from, why });
    return why === undefined;
  });
  return { taken, leftOut };
}

/** The day at the beginning of a file's name, such as 2026-03-01. Undefined: there is none, or no calendar has it. */
export function dayIn(name: string): string | undefined {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(name) ?? [];
  const moment = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day!) ? day : undefined;
}
