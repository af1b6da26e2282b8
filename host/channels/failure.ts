/** `refused` by the service. `busy`: retry later. `notSent`: not reached. `unknown`: it may have taken effect. */
export type FailureKind = 'refused' | 'busy' | 'notSent' | 'unknown';

/** A failed request to a service, thrown by drivers. */
export class ChannelFailure extends Error {
  readonly kind: FailureKind;
  /** Seconds to wait before the next request to a busy service. */
  readonly seconds: number;
  /** `reason`: for people, without a full stop. */
  constructor(
    kind: FailureKind,
    reason: string,
    { seconds = 1, cause }: { readonly seconds?: number; readonly cause?: unknown } = {},
  ) {
    super(reason, { cause });
    this.kind = kind;
    this.seconds = seconds;
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
