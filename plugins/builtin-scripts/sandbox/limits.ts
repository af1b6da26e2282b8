/** What one script may use, and how many run at once. */
export interface ScriptLimits {
  /** Calls of one script that run at the same time; more wait. */
  readonly parallelCalls: number;
  /** Calls of one script in all. */
  readonly calls: number;
  /** Megabytes of its objects. */
  readonly memory: number;
  /** Seconds of processor time, without the time of its calls. */
  readonly cpu: number;
  /** Scripts that run at the same time; more wait. One that waits for a person doesn't count. */
  readonly concurrency: number;
}

/** Characters of JSON that cross the sandbox's border at once: arguments, a result, what the script returns. */
export const maxMessageLength = 4_000_000;
/** Characters of all arguments that a script hands over before it waits. */
export const maxOutboxLength = 16_000_000;
/** Characters of all that a script logs; more is dropped. */
export const maxLogLength = 20_000;
