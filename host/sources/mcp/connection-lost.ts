/**
 * The server went away, or could not be reached. `sent` says whether it may have received the request: only a
 * request that it can't have received may be repeated without asking what it does.
 */
export class ConnectionLost extends Error {
  readonly sent: boolean;

  constructor(message: string, sent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ConnectionLost';
    this.sent = sent;
  }
}
