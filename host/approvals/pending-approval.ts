import type { Host } from '../host.ts';

/** Something that is new or changed, and not used until the owner has looked at it. */
export interface PendingApproval {
  /** What `pegboard approvals allow` takes: "everything", "spaces/recipes", "dice". */
  readonly id: string;
  /** In words, a phrase for each thing: "everything.echo". */
  readonly what: readonly string[];
  review(): ApprovalReview;
}

/** All that is allowed together. */
export interface ApprovalReview {
  /** "Use the space recipes as it is now?" */
  readonly question: string;
  /** The difference to what was approved before, or all that there is. Hidden characters are spelled out. */
  readonly detail: string;
  /** Nothing is allowed that `detail` doesn't show. */
  readonly isComplete: boolean;
  /** What a person should pay attention to, each a phrase. */
  readonly warnings: readonly string[];
  /** For exactly what `detail` shows. Returns what holds now, in a sentence. Throws PEG_DENIED when it has changed. */
  approve(): Promise<string>;
}

/** The parts of a host that wait for approvals. */
export type ApprovingHost = Pick<Host, 'servers' | 'spaces' | 'plugins' | 'trust' | 'registry'>;

export const approveCommand = ({ id }: Pick<PendingApproval, 'id'>): string =>
  `pegboard approvals allow ${id}`;
