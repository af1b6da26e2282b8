/**
 * The fate of a request. `unsent`: it can't have been received. `refused`: it was answered, and certainly not run.
 * `answered`: it was answered, but the outcome is unknown. `unknown`: it may have been received.
 */
export type Fate = 'unsent' | 'refused' | 'answered' | 'unknown';

/** The connection was lost, or the server gave no usable response. `fate` says whether a request may be repeated. */
export class ConnectionLost extends Error {
  readonly fate: Fate;

  constructor(message: string, fate: Fate, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ConnectionLost';
    this.fate = fate;
  }

  /** The request was certainly not run: there is no connection to send it over. */
  get wasNotRun(): boolean {
    return this.fate === 'unsent' || this.fate === 'refused';
  }
}

/**
 * The failure of a later request of a call: the call itself was received and answered, whatever the fate of this
 * request.
 */
export function afterFirstAnswer(cause: unknown): unknown {
  return cause instanceof ConnectionLost ? new ConnectionLost(cause.message, 'answered', cause) : cause;
}
