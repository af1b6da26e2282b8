/** `refused` by the service. `busy`: retry later. `notSent`: not reached. `unknown`: it may have taken effect. */
export type FailureKind = 'refused' | 'busy' | 'notSent' | 'unknown';

/**
 * What a refusal concerns: this request alone, everything that is sent to this chat, or everything that the account does.
 * Of the last two, the message is not at fault: it waits.
 */
export type FailureScope = 'message' | 'chat' | 'account';

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
  /** Default: with the status 401 the account, else the message. */
  readonly scope?: FailureScope | undefined;
  /** The chat has another id from now on: this one. The host sends there at once. */
  readonly movedTo?: string | undefined;
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
  readonly scope: FailureScope;
  readonly movedTo: string | undefined;
  readonly code: number | string | undefined;
  readonly trouble: Trouble | undefined;
  /** `reason`: for people, without a full stop. */
  constructor(
    kind: FailureKind,
    reason: string,
    {
      seconds = kind === 'busy' ? 1 : undefined,
      status,
      scope = status === 401 ? 'account' : 'message',
      movedTo,
      code,
      trouble,
      cause,
    }: FailureDetails = {},
  ) {
    super(reason, { cause });
    this.kind = kind;
    this.seconds = seconds;
    this.status = status;
    this.scope = scope;
    this.movedTo = movedTo;
    this.code = code;
    this.trouble = trouble;
  }
}

/** A refusal that is no fault of what was sent: that is kept until it can be. */
export const isHoldUp = (thrown: unknown): thrown is ChannelFailure =>
  thrown instanceof ChannelFailure && thrown.kind === 'refused' && thrown.scope !== 'message';

const kinds: readonly FailureKind[] = ['refused', 'busy', 'notSent', 'unknown'];

/** Converts any other error to a failure of the kind `unknown`. */
export const failureOf = (thrown: unknown): ChannelFailure =>
  thrown instanceof ChannelFailure && kinds.includes(thrown.kind)
    ? thrown
    : new ChannelFailure('unknown', thrown instanceof Error ? thrown.message : String(thrown), {
        cause: thrown,
      });
