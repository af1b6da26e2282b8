import type { MaybePromise } from '../result.ts';

/** Names what one plugin provides for others, and its type. */
export interface Token<T> {
  /** The name under `provides:` in plugin.yaml. */
  readonly name: string;
  /** For messages: "greetings", as in "nothing here provides greetings". */
  readonly what: string;
  /** Never set: it only carries the type. */
  readonly type?: (value: T) => T;
}

/** A value for a token. Made with `provide`, which checks its type. */
export interface Provided {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Runs `work` with what is provided now. A plugin that provides it and waits to be needed is set up first, and none is
 * closed before `work` ends, or 30 s after it was replaced. Don't keep the value: after a reload the next use gets the new
 * one. Rejects with PEG_CONFIG where nothing provides it, and says why.
 */
export type Use<T> = <Result>(work: (value: T) => MaybePromise<Result>) => Promise<Result>;

/** A token. Give the same name and type on both sides: its functions return promises. */
export const defineToken = <T>(name: string, what: string): Token<T> => ({ name, what });

/** For `provides` of the contributions. */
export const provide = <T>({ name }: Token<T>, value: T): Provided => ({ name, value });
