import type { SoakTally } from '../run.ts';

/** Prints figures with their limits. */
export interface Figures {
  show(what: string, figure: number, unit: 'MB' | 'ms' | ''): void;
  /** A figure above its limit is a failure. */
  judge(what: string, figure: number, unit: 'MB' | 'ms' | '', atMost: number): void;
}

export function printFigures({ failures }: Pick<SoakTally, 'failures'>): Figures {
  const shown = (figure: number, unit: string): string =>
    `${figure.toFixed(unit === '' ? 2 : 0).padStart(8)} ${unit.padEnd(2)}`;
  return {
    show: (what, figure, unit) => console.log(`${shown(figure, unit)} ${what}`),
    judge(what, figure, unit, atMost) {
      const misses = !(figure <= atMost);
      console.log(`${shown(figure, unit)} ${what}, at most ${atMost}${misses ? ': missed' : ''}`);
      if (misses) failures.push(`${what}: ${figure.toFixed(2)} ${unit}, at most ${atMost}`);
    },
  };
}
