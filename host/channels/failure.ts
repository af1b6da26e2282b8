/** `refused`: the service won't. `busy`: later. `notSent`: it was not reached. `unknown`: it may have happened. */
export type FailureKind = 'refused' | 'busy' | 'notSent' | 'unknown';

/** Why a service did not do what it was asked to. Drivers throw it. */
export class ChannelFailure extends Error {
  readonly kind: FailureKind;
  /** Until a busy service takes more. */
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

/** A driver's failure; whatever else is thrown leaves open what happened. */
export const failureOf = (thrown: unknown): ChannelFailure =>
  thrown instanceof ChannelFailure && kinds.includes(thrown.kind)
    ? thrown
    : new ChannelFailure('unknown', thrown instanceof Error ? thrown.message : String(thrown), {
        cause: thrown,
      });
