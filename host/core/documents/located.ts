/** A problem at an offset of the text. */
export interface Located {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
  readonly hint?: string;
}
