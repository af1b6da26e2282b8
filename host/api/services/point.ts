/** A list that one plugin reads, and that others add to: routes of a server, formats of an import. */
export interface Point<T> {
  /** The name under `points:` in plugin.yaml. */
  readonly name: string;
  /** Never set: it only carries the type. */
  readonly type?: (value: T) => T;
}

/** A value for a point. Made with `add`, which checks its type. */
export interface Added {
  readonly point: string;
  readonly value: unknown;
}

/** What all plugins have added to a point. */
export interface Additions<T> {
  /** In the order of the plugins. Those that declare the point and wait to be needed are set up first. */
  list(): Promise<readonly T[]>;
  /** Calls back after any change of the plugins: list again then. */
  onChange(listener: () => void): Disposable;
}

/** A point. Give the same name and type on both sides. */
export const definePoint = <T>(name: string): Point<T> => ({ name });

/** For `points` of the contributions. */
export const add = <T>({ name }: Point<T>, value: T): Added => ({ point: name, value });
