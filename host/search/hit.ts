export interface Hit {
  readonly id: string;
  /** 1 for what fits best, 0 for what shares nothing with the request; to be compared within one answer. */
  readonly score: number;
  /** The request has the exact name of the tool. */
  readonly named?: true;
  /** Nothing is sure to answer the request: this is only the nearest there is. The same for all hits of an answer. */
  readonly nearest?: true;
}

/** Below this share of the best one only letters are alike. */
export const minScore = 0.1;

/** So many are named where nothing is sure, however little they share with the request. */
export const maxNearest = 3;
