/** A page of the web as text. */
export interface WebPage {
  readonly title: string | undefined;
  /** After redirects. */
  readonly url: string;
  readonly markdown: string;
  /** There was more than the limit. */
  readonly cut: boolean;
}
