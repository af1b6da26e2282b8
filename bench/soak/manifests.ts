import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, randomInteger, type SoakRun } from './run.ts';

const tools = 100;
/** Milliseconds after which a saved version must be in service, on a busy machine. */
const takenOverWithin = 3000;

/** Markdown tools that return their version, with the versions that are valid at each time. */
export interface ChangingTools {
  readonly names: readonly string[];
  /** The versions that are valid for a call that began at `start` (performance.now()) and has just ended. */
  possible(name: string, start: number): { readonly from: number; readonly to: number };
  /** Saves versions one after the other, sometimes a broken one, until time is up. */
  change(run: SoakRun): Promise<void>;
}

export function createChangingTools(pathOf: (file: string) => string): ChangingTools {
  const saved = new Map(Array.from({ length: tools }, (_, index) => [`say-${index}`, [performance.now()]]));
  const names = [...saved.keys()];
  const save = (name: string, text: string): void =>
    writeFileSync(pathOf(`spaces/bench/agent/tools/${name}.md`), text);
  for (const name of names) save(name, manifest(name, 0));
  return {
    names,
    possible(name, start) {
      const times = saved.get(name)!;
      return { from: times.findLastIndex((time) => time < start - takenOverWithin), to: times.length - 1 };
    },
    async change(run) {
      while (!run.signal.aborted) {
        const name = names[randomInteger(0, names.length - 1)]!;
        if (Math.random() < 0.2) {
          save(name, manifest(name, -1).replace('command:', 'comand:'));
          count(run, 'broken saves');
          await sleep(randomInteger(0, 200));
        }
        const times = saved.get(name)!;
        save(name, manifest(name, times.length));
        times.push(performance.now());
        count(run, 'saves');
        await sleep(randomInteger(20, 200));
      }
    },
  };
}

function manifest(name: string, version: number): string {
  return `---
id: ${name}
name: ${name}
description: Says a text and its version
parameters:
  - { name: text, type: string, required: true }
command: echo {{text}} version ${version}
---
`;
}
