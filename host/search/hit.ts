export interface Hit {
  readonly id: string;
  /** 1 for what fits best; to be compared within one answer. */
  readonly score: number;
  /** Nothing is sure to answer the request: this is only the nearest there is. The same for all hits of an answer. */
  readonly nearest?: true;
}

/** Below this share of the best one only letters are alike. */
export const leastScore = 0.1;
