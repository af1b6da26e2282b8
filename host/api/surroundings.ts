/** What a host gets from the process around it, as one value, so that it asks nothing of `process` itself. */
export interface Surroundings {
  /** Environment variables. Nobody writes into them. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** The absolute path of the folder in which the person stands. Throws ENOENT when it was deleted. */
  readonly cwd: () => string;
  /** The absolute path of the user's own folder. */
  readonly userHome: string;
  readonly clock: Clock;
}

/** A clock and its timer; tests have one that they move. */
export interface Clock {
  /** Milliseconds since 1970 by the system clock, which people and standby can change. */
  now(): number;
  /** A monotonic clock, in milliseconds. */
  monotonic(): number;
  /** Resolves after `ms` or when `signal` aborts, whichever is first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}
