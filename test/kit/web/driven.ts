import type { Watched } from './chromium.ts';

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
}

/** As much of a tab as tests in every browser need. */
export interface DrivenTab {
  readonly watched: Watched;
  goto(url: string): Promise<void>;
  /** What the expression, or its promise, has as its value, as JSON. */
  evaluate<T>(expression: string): Promise<T>;
  /** "Tab", "Enter", "Escape", or a character. */
  press(key: string): Promise<void>;
}

/** A browser with one profile, whose tabs share cookies and storage. */
export interface DrivenBrowser extends AsyncDisposable {
  open(url: string, options?: TabOptions): Promise<DrivenTab>;
}
