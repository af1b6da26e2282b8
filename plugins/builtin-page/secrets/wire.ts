/** What goes between a host and the page about secrets, without any value. Types only. */
import type { DescribedSecret, SecretUse } from 'pegboard/browser';
import type { DiagnosticRow } from '../wire.ts';

export type SecretRow = DescribedSecret;
export type { SecretUse };

export interface SecretList {
  /** What something needs and doesn't have comes first. */
  readonly secrets: readonly SecretRow[];
  /** Why the stored ones can't be read. */
  readonly problems: readonly DiagnosticRow[];
}

/** What holds after a change. */
export interface SecretChange {
  readonly message: string;
  /** Servers and plugins that go on with the value that they were started with. */
  readonly startedBefore: readonly Pick<SecretUse, 'kind' | 'name'>[];
}
