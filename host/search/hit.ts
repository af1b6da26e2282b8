export interface Hit {
  readonly id: string;
  /** 1 for what fits best; to be compared within one answer. */
  readonly score: number;
}

/** Below this share of the best one only letters are alike. */
export const leastScore = 0.1;
