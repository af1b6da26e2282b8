export interface Hit {
  readonly id: string;
  /** 1 for the best match, 0 for no match; comparable within one search. */
  readonly score: number;
  /** The request contains the exact name of the tool. */
  readonly named?: true;
  /** Nothing surely matches: this is only one of the nearest. The same for all hits of a search. */
  readonly nearest?: true;
}

/** Below this share of the best score, only the spelling is similar. */
export const minScore = 0.1;
