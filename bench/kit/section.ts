/** A figure that must be reached, over the Pegboard value, its ratio to the direct one, or the difference. */
export interface Aim {
  readonly of: 'value' | 'ratio' | 'difference';
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** One line of a table: the same thing done directly and by Pegboard, in the same run. */
export interface Row {
  readonly what: string;
  readonly unit: string;
  /** Absent if there is nothing to compare with. */
  readonly direct?: number;
  readonly pegboard: number;
  readonly aim?: Aim;
}

/** What one file in sections/ measures. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** What is compared with what, and how, in a few sentences. */
  readonly about: string;
  measure(): Promise<readonly Row[]>;
}

/** The number that the aim is about. */
function judged({ direct, pegboard }: Row, aim: Aim): number {
  if (aim.of === 'value') return pegboard;
  return aim.of === 'ratio' ? pegboard / direct! : pegboard - direct!;
}

export function isMet(row: Row, aim: Aim): boolean {
  const figure = judged(row, aim);
  return figure <= (aim.atMost ?? Infinity) && figure >= (aim.atLeast ?? -Infinity);
}
