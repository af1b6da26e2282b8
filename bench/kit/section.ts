/** A target for the Pegboard value, its ratio to the direct one, or the difference. */
export interface Target {
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
  readonly target?: Target;
}

/** A benchmark: one file in sections/. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** A few sentences about what is compared, and how. */
  readonly about: string;
  measure(): Promise<readonly Row[]>;
}

/** The number that the target applies to. */
function judged({ direct, pegboard }: Row, target: Target): number {
  if (target.of === 'value') return pegboard;
  return target.of === 'ratio' ? pegboard / direct! : pegboard - direct!;
}

export function isMet(row: Row, target: Target): boolean {
  const figure = judged(row, target);
  return figure <= (target.atMost ?? Infinity) && figure >= (target.atLeast ?? -Infinity);
}
