/** `refused` by the service. `busy`: retry later. `notSent`: not reached. `unknown`: it may have taken effect. */
export type FailureKind = 'refused' | 'busy' | 'notSent' | 'unknown';

/** What is wrong with a service, as the owner reads it after its name, and what they can do. */
export interface Trouble {
  readonly message: string;
  readonly fix?: string;
}

export interface FailureDetails {
  /** To wait before the next attempt. Default: a second for a busy service, else what the host finds right. */
  readonly seconds?: number | undefined;
  /** Of the HTTP response. 401: the service doesn't know the token. */
  readonly status?: number | undefined;
  /** The service's own code of the error. */
  readonly code?: number | string | undefined;
  /** Default: what its kind and its status mean for every service. */
  readonly trouble?: Trouble | undefined;
  readonly cause?: unknown;
}

/** A failed request to a service, thrown by drivers. */
export class ChannelFailure extends Error {
  readonly kind: FailureKind;
  readonly seconds: number | undefined;
  readonly status: number | undefined;
  readonly code: number | string | undefined;
  readonly trouble: Trouble | undefined;
  /** `reason`: for people, without a full stop. */
  constructor(
    kind: FailureKind,
    reason: string,
    { seconds = kind === 'busy' ? 1 : undefined, status, code, trouble, cause }: FailureDetails = {},
  ) {
    super(reason, { cause });
    this.kind = kind;
    this.seconds = seconds;
    this.status = status;
    this.code = code;
    this.trouble = trouble;
  }
}

const kinds: readonly FailureKind[] = ['refused', 'busy', 'notSent', 'unknown'];

/** Converts any other error to a failure of the kind `unknown`. */
export const failureOf = (thrown: unknown): ChannelFailure =>
  thrown instanceof ChannelFailure && kinds.includes(thrown.kind)
    ? thrown
    : new ChannelFailure('unknown', thrown instanceof Error ? thrown.message : String(thrown), {
        cause: thrown,
      });
