import { pegboard } from '../core/own-command.ts';
import type { Host } from '../host.ts';

/** Something new or changed that is not used until the owner has approved it. */
export interface PendingApproval {
  /** The argument of `pegboard approvals allow`: "everything", "spaces/recipes", "dice". */
  readonly id: string;
  /** In words, a phrase for each thing: "everything.echo". */
  readonly what: readonly string[];
  review(): ApprovalReview;
}

/** Everything that is approved together. */
export interface ApprovalReview {
  /** "Use the space recipes as it is now?" */
  readonly question: string;
  /** The difference to what was approved before, or all of it. Hidden characters are spelled out. */
  readonly detail: string;
  /** Approves only what `detail` shows. */
  readonly isComplete: boolean;
  /** Phrases that a person should pay attention to. */
  readonly warnings: readonly string[];
  /** Approves exactly what `detail` shows. Returns a sentence about what holds now. Throws PEG_DENIED when it has changed. */
  approve(): Promise<string>;
}

/** The parts of a host that may have pending approvals. */
export type ApprovingHost = Pick<Host, 'servers' | 'spaces' | 'plugins' | 'trust' | 'registry'>;

export const approveCommand = ({ id }: Pick<PendingApproval, 'id'>): string =>
  `${pegboard} approvals allow ${id}`;
